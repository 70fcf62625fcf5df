package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/**
 * An answer that is given again when the same request comes again.
 *
 * @param status as the application counts, an HTTP status as a rule
 * @param contentType media type of the body
 * @param body not copied
 */
// Handed over and never compared.
@SuppressWarnings("ArrayRecordComponent")
public record Response(int status, @Nullable String contentType, byte[] body) {}
