package dev.waybill.inbox.defer;

import java.util.UUID;

public record WantedMessage(UUID key, String messageId, long sequenceNumber, int tries) {}
