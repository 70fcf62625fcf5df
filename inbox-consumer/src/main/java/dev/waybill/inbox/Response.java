package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/** A stored response. The status is chosen by the application, usually an HTTP status. The body is not copied. */
// No code compares responses.
@SuppressWarnings("ArrayRecordComponent")
public record Response(int status, @Nullable String contentType, byte[] body) {}
