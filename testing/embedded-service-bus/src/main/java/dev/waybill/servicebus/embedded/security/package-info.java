/**
 * Access control: shared access keys with their rights, signed test tokens, and the certificate of a broker that
 * speaks TLS. The key or token of a client becomes a {@link dev.waybill.servicebus.embedded.security.Grant}; links and
 * requests ask for one.
 */
@NullMarked
package dev.waybill.servicebus.embedded.security;

import org.jspecify.annotations.NullMarked;
