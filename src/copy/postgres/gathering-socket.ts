// A socket for conversations in which several messages leave at once.
import { Socket } from 'node:net'

/** A socket that sends what is written within one turn together: one call of the system instead of one per message. */
export function createGatheringSocket(): Socket {
  const socket = new Socket()
  let isGathering = false
  // Connecting puts back the method that sockets have, so it is replaced afterwards.
  socket.once('connect', () => {
    const write = socket.write.bind(socket)
    const gather = (...message: Parameters<Socket['write']>): boolean => {
      if (!isGathering) {
        isGathering = true
        socket.cork()
        process.nextTick(() => {
          isGathering = false
          socket.uncork()
        })
      }
      return write(...message)
    }
    // All ways to call it pass on what they were called with.
    socket.write = gather as Socket['write']
  })
  return socket
}
