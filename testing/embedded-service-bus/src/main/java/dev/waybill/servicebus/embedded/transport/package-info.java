/**
 * Bytes between a socket and the protocol engine: ports, Web Sockets, the close of a connection, and the frames that the engine must
 * not see. Nothing here knows links or entities.
 */
@NullMarked
package dev.waybill.servicebus.embedded.transport;

import org.jspecify.annotations.NullMarked;
