// Tells a parent who asks what this process has used so far: CPU in microseconds, resident memory in bytes.
export function answerUsage() {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpuUs: user + system, rss: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit())
}
