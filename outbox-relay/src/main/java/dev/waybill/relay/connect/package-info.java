/** The relay's connections from the caller's pool, and statements that run as one transaction in one round trip. */
@NullMarked
package dev.waybill.relay.connect;

import org.jspecify.annotations.NullMarked;
