// An empty process: says how long Node itself took, in milliseconds since the process began.
process.stdout.write(String(performance.now()))
