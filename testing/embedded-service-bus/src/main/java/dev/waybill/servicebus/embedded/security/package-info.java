/**
 * Access control: shared access keys, signed test tokens, and the certificate of a TLS broker. A client's key or token becomes a {@link
 * dev.waybill.servicebus.embedded.security.Grant}, which links and requests require.
 */
@NullMarked
package dev.waybill.servicebus.embedded.security;

import org.jspecify.annotations.NullMarked;
