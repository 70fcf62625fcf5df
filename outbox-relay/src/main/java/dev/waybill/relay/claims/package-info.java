/** Deletes bodies outside their messages when no message needs them. */
@NullMarked
package dev.waybill.relay.claims;

import org.jspecify.annotations.NullMarked;
