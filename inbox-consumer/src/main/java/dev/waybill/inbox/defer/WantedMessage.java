package dev.waybill.inbox.defer;

import java.util.UUID;

/** A deferred message that somebody wants back. */
public record WantedMessage(UUID key, String messageId, long sequenceNumber, int tries) {}
