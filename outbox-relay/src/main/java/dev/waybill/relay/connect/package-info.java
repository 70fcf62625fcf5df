/** Connections of the caller's pool as the relay needs them, and statements that are transactions of one round trip. */
@NullMarked
package dev.waybill.relay.connect;

import org.jspecify.annotations.NullMarked;
