// undici's index loads fetch, WebSocket and caches as well and takes three times as long as its Pool alone.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
