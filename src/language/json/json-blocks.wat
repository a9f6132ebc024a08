;; Looks at JSON texts 64 bytes at a time. src/language/json/json-blocks.ts uses it; scripts/wasm.ts makes a module of it.
;;
;; A mask is an i64 with one bit for each of the 64 bytes, the first byte being the lowest bit.
(module
  ;; 42 pages of 64 KiB: a text of up to 1 MiB behind 64 zeros, what is made of it at 0x110000. Of a fixed size, so that
  ;; views of it stay valid; the system gives real memory to what is written only.
  (memory (export "memory") 42 42)

  (func $maskOf (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (local.get $a)))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $b))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $c))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $d))) (i64.const 48)))))

  ;; Where the bytes equal `byte`.
  (func $equalTo
    (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $byte i32) (result i64)
    (local $all v128)
    (local.set $all (i8x16.splat (local.get $byte)))
    (call $maskOf
      (i8x16.eq (local.get $a) (local.get $all))
      (i8x16.eq (local.get $b) (local.get $all))
      (i8x16.eq (local.get $c) (local.get $all))
      (i8x16.eq (local.get $d) (local.get $all))))

  ;; The characters . / 0 1 2 3 4 5 6 7 8 9, which follow one another; of a slash outside of strings JSON.parse complains.
  (func $isNumeric (param $bytes v128) (result v128)
    (i8x16.le_u
      (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 0x2e)))
      (i8x16.splat (i32.const 11))))

  ;; The first byte of a character that Latin-1 lacks.
  (func $isWide (param $bytes v128) (result v128)
    (i8x16.ge_u (local.get $bytes) (i8x16.splat (i32.const 0xc4))))

  ;; Sets the bit 0x20, which tells [ from {, ] from } and E from e.
  (func $fold (param $bytes v128) (result v128)
    (v128.or (local.get $bytes) (i8x16.splat (i32.const 0x20))))

  (func $not (param $mask i64) (result i64)
    (i64.xor (local.get $mask) (i64.const -1)))

  ;; If the bytes from `at` to `end` are JSON, then it is nested at most `limit` deep, and no number of it has more than
  ;; 15 digits or an exponent. Gives how many of its characters Latin-1 lacks. -1: nothing is known of it. Writes 64
  ;; blanks behind `end`.
  (func (export "survey") (param $at i32) (param $end i32) (param $limit i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $quotes i64)
    (local $slashes i64) (local $odd i64) (local $behind i64) (local $runs i64)
    (local $inside i64) (local $outside i64)
    (local $numeric i64)
    (local $wide i32)
    ;; What blocks leave to the next one.
    (local $depth i64)
    (local $escapesNext i64) ;; 1: the block ended with a backslash that escapes
    (local $endsInside i64)  ;; all bits: it ended inside of a string
    (local $digits i64)      ;; numeric characters that it ended with

    ;; Blanks, so that the last block is a whole one.
    (local.set $a (i8x16.splat (i32.const 0x20)))
    (v128.store (local.get $end) (local.get $a))
    (v128.store offset=16 (local.get $end) (local.get $a))
    (v128.store offset=32 (local.get $end) (local.get $a))
    (v128.store offset=48 (local.get $end) (local.get $a))

    (loop $block
      (local.set $a (v128.load (local.get $at)))
      (local.set $b (v128.load offset=16 (local.get $at)))
      (local.set $c (v128.load offset=32 (local.get $at)))
      (local.set $d (v128.load offset=48 (local.get $at)))

      (local.set $quotes
        (call $equalTo (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i32.const 0x22)))
      (local.set $slashes
        (call $equalTo (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i32.const 0x5c)))

      (if (i8x16.bitmask
            (v128.or
              (v128.or (local.get $a) (local.get $b))
              (v128.or (local.get $c) (local.get $d))))
        (then
          (local.set $wide
            (i32.add
              (local.get $wide)
              (i32.wrap_i64
                (i64.popcnt
                  (call $maskOf
                    (call $isWide (local.get $a))
                    (call $isWide (local.get $b))
                    (call $isWide (local.get $c))
                    (call $isWide (local.get $d)))))))))

      ;; Quotation marks behind an odd number of backslashes end nothing. Adding the beginnings of the runs that begin
      ;; at odd places carries each of them through its run; what the others leave tells by its place whether their
      ;; length is odd.
      (if (i64.ne (i64.or (local.get $slashes) (local.get $escapesNext)) (i64.const 0))
        (then
          (local.set $slashes (i64.and (local.get $slashes) (call $not (local.get $escapesNext))))
          (local.set $behind
            (i64.or (i64.shl (local.get $slashes) (i64.const 1)) (local.get $escapesNext)))
          (local.set $odd
            (i64.and
              (i64.and (local.get $slashes) (i64.const 0xaaaaaaaaaaaaaaaa))
              (call $not (local.get $behind))))
          (local.set $runs (i64.add (local.get $odd) (local.get $slashes)))
          (local.set $escapesNext
            (i64.extend_i32_u (i64.lt_u (local.get $runs) (local.get $odd))))
          (local.set $quotes
            (i64.and
              (local.get $quotes)
              (call $not
                (i64.and
                  (i64.xor
                    (i64.shl (local.get $runs) (i64.const 1))
                    (i64.const 0x5555555555555555))
                  (local.get $behind)))))))

      ;; Each bit is the sum of the quotation marks up to it: 1 from one that opens to before the one that closes.
      (local.set $inside
        (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
      (local.set $inside
        (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 2))))
      (local.set $inside
        (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 4))))
      (local.set $inside
        (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 8))))
      (local.set $inside
        (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 16))))
      (local.set $inside
        (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 32))))
      (local.set $inside (i64.xor (local.get $inside) (local.get $endsInside)))
      (local.set $endsInside (i64.shr_s (local.get $inside) (i64.const 63)))
      (local.set $outside (call $not (local.get $inside)))

      (local.set $numeric
        (i64.and
          (local.get $outside)
          (call $maskOf
            (call $isNumeric (local.get $a))
            (call $isNumeric (local.get $b))
            (call $isNumeric (local.get $c))
            (call $isNumeric (local.get $d)))))
      (if (i64.eqz (local.get $numeric))
        (then (local.set $digits (i64.const 0)))
        (else
          ;; 16 in a row, the last of the block before included.
          (if (i64.ge_u
                (i64.add (local.get $digits) (i64.ctz (call $not (local.get $numeric))))
                (i64.const 16))
            (then (return (i32.const -1))))
          (local.set $runs
            (i64.and (local.get $numeric) (i64.shr_u (local.get $numeric) (i64.const 1))))
          (local.set $runs
            (i64.and (local.get $runs) (i64.shr_u (local.get $runs) (i64.const 2))))
          (local.set $runs
            (i64.and (local.get $runs) (i64.shr_u (local.get $runs) (i64.const 4))))
          (local.set $runs
            (i64.and (local.get $runs) (i64.shr_u (local.get $runs) (i64.const 8))))
          (if (i64.ne (local.get $runs) (i64.const 0)) (then (return (i32.const -1))))
          (local.set $digits (i64.clz (call $not (local.get $numeric))))
          ;; An e behind one of them.
          (if (i64.ne
                (i64.and
                  (local.get $numeric)
                  (call $equalTo
                    (call $fold (v128.load offset=1 (local.get $at)))
                    (call $fold (v128.load offset=17 (local.get $at)))
                    (call $fold (v128.load offset=33 (local.get $at)))
                    (call $fold (v128.load offset=49 (local.get $at)))
                    (i32.const 0x65)))
                (i64.const 0))
            (then (return (i32.const -1))))))

      (local.set $a (call $fold (local.get $a)))
      (local.set $b (call $fold (local.get $b)))
      (local.set $c (call $fold (local.get $c)))
      (local.set $d (call $fold (local.get $d)))
      ;; As if all of the block opened first and closed then.
      (local.set $depth
        (i64.add
          (local.get $depth)
          (i64.popcnt
            (i64.and
              (local.get $outside)
              (call $equalTo (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i32.const 0x7b))))))
      (if (i64.gt_s (local.get $depth) (i64.extend_i32_u (local.get $limit)))
        (then (return (i32.const -1))))
      (local.set $depth
        (i64.sub
          (local.get $depth)
          (i64.popcnt
            (i64.and
              (local.get $outside)
              (call $equalTo (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i32.const 0x7d))))))

      (br_if $block
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (local.get $wide))

  ;; Bytes that do not stand for themselves inside of a string: quotation mark, backslash, control characters.
  (func $isMark (param $bytes v128) (result v128)
    (v128.or
      (i8x16.le_u (local.get $bytes) (i8x16.splat (i32.const 0x1f)))
      (v128.or
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
        (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))))

  ;; Writes a mask of them for each block from `at` to `end`. The byte at `end` becomes one.
  (func (export "mark") (param $at i32) (param $end i32) (param $target i32)
    (i32.store8 (local.get $end) (i32.const 0))
    (loop $block
      (i64.store
        (local.get $target)
        (call $maskOf
          (call $isMark (v128.load (local.get $at)))
          (call $isMark (v128.load offset=16 (local.get $at)))
          (call $isMark (v128.load offset=32 (local.get $at)))
          (call $isMark (v128.load offset=48 (local.get $at)))))
      (local.set $target (i32.add (local.get $target) (i32.const 8)))
      (br_if $block
        (i32.le_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))

  ;; Writes \u and four hexadecimal digits.
  (func $writeEscape (param $to i32) (param $unit i32)
    (local $digits i32)
    ;; Four numbers below 16, in the order of memory.
    (local.set $digits
      (i32.or
        (i32.or
          (i32.shr_u (local.get $unit) (i32.const 12))
          (i32.and (local.get $unit) (i32.const 0xf00)))
        (i32.or
          (i32.shl (i32.and (local.get $unit) (i32.const 0xf0)) (i32.const 12))
          (i32.shl (i32.and (local.get $unit) (i32.const 0xf)) (i32.const 24)))))
    (i32.store16 (local.get $to) (i32.const 0x755c))
    ;; To each "0", and from ten on the way from "9" to "a" besides.
    (i32.store offset=2
      (local.get $to)
      (i32.add
        (i32.add (local.get $digits) (i32.const 0x30303030))
        (i32.mul
          (i32.and
            (i32.shr_u (i32.add (local.get $digits) (i32.const 0x06060606)) (i32.const 4))
            (i32.const 0x01010101))
          (i32.const 39)))))

  ;; The six bits of a byte behind the first one of its character.
  (func $rest (param $byte i32) (result i32)
    (i32.and (local.get $byte) (i32.const 0x3f)))

  ;; Writes the UTF-8 from `from` to `end` as Latin-1, with \u escapes for the characters that have no place there, and
  ;; gives its length. 0: a backslash stands before such a character. `survey` must have been there.
  (func (export "narrow") (param $from i32) (param $end i32) (param $start i32) (result i32)
    (local $to i32) (local $bytes v128) (local $high i32) (local $character i32)
    (local.set $to (local.get $start))
    (loop $next
      (if (i32.ge_u (local.get $from) (local.get $end))
        (then
          (return
            (i32.sub
              (i32.sub (local.get $to) (local.get $start))
              (i32.sub (local.get $from) (local.get $end))))))

      (v128.store (local.get $to) (local.tee $bytes (v128.load (local.get $from))))
      (local.set $high (i8x16.bitmask (local.get $bytes)))
      (if (i32.eqz (local.get $high))
        (then
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br $next)))

      ;; Up to the first character that is not ASCII all is in its place.
      (local.set $from (i32.add (local.get $from) (i32.ctz (local.get $high))))
      (local.set $to (i32.add (local.get $to) (i32.ctz (local.get $high))))
      (local.set $character (i32.load8_u (local.get $from)))
      (if (i32.lt_u (local.get $character) (i32.const 0xc4))
        (then
          (i32.store8
            (local.get $to)
            (i32.or
              (i32.shl (local.get $character) (i32.const 6))
              (call $rest (i32.load8_u offset=1 (local.get $from)))))
          (local.set $from (i32.add (local.get $from) (i32.const 2)))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (br $next)))

      ;; `\\` and an escape would mean something where the backslash and the character were a mistake.
      (if (i32.eq (i32.load8_u (i32.sub (local.get $from) (i32.const 1))) (i32.const 0x5c))
        (then (return (i32.const 0))))
      (if (i32.lt_u (local.get $character) (i32.const 0xe0))
        (then
          (call $writeEscape
            (local.get $to)
            (i32.or
              (i32.shl (i32.and (local.get $character) (i32.const 0x1f)) (i32.const 6))
              (call $rest (i32.load8_u offset=1 (local.get $from)))))
          (local.set $from (i32.add (local.get $from) (i32.const 2)))
          (local.set $to (i32.add (local.get $to) (i32.const 6)))
          (br $next)))
      (if (i32.lt_u (local.get $character) (i32.const 0xf0))
        (then
          (call $writeEscape
            (local.get $to)
            (i32.or
              (i32.shl (i32.and (local.get $character) (i32.const 0xf)) (i32.const 12))
              (i32.or
                (i32.shl (call $rest (i32.load8_u offset=1 (local.get $from))) (i32.const 6))
                (call $rest (i32.load8_u offset=2 (local.get $from))))))
          (local.set $from (i32.add (local.get $from) (i32.const 3)))
          (local.set $to (i32.add (local.get $to) (i32.const 6)))
          (br $next)))

      ;; Four bytes are two surrogates.
      (local.set $character
        (i32.sub
          (i32.or
            (i32.or
              (i32.shl (i32.and (local.get $character) (i32.const 7)) (i32.const 18))
              (i32.shl (call $rest (i32.load8_u offset=1 (local.get $from))) (i32.const 12)))
            (i32.or
              (i32.shl (call $rest (i32.load8_u offset=2 (local.get $from))) (i32.const 6))
              (call $rest (i32.load8_u offset=3 (local.get $from)))))
          (i32.const 0x10000)))
      (call $writeEscape
        (local.get $to)
        (i32.or (i32.shr_u (local.get $character) (i32.const 10)) (i32.const 0xd800)))
      (call $writeEscape
        (i32.add (local.get $to) (i32.const 6))
        (i32.or (i32.and (local.get $character) (i32.const 0x3ff)) (i32.const 0xdc00)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $to (i32.add (local.get $to) (i32.const 12)))
      (br $next))
    (unreachable)))
