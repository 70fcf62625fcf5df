/** Bodies that are kept outside their messages: removed when no message needs them any more. */
@NullMarked
package dev.waybill.relay.claims;

import org.jspecify.annotations.NullMarked;
