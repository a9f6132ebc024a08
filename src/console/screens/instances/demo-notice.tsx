// In the sandbox nobody has credentials: the local vendor's own can be filled in.

export function DemoNotice({ fill }: { readonly fill: () => void }) {
  return (
    <div className="notice">
      <p>
        This is the sandbox: a local vendor answers.{' '}
        <button type="button" className="small" onClick={fill}>
          Fill in demo credentials
        </button>
      </p>
    </div>
  )
}
