package dev.waybill.hold;

import java.util.List;
import java.util.UUID;

/** The right to publish or handle the first messages of a hold until it expires. {@code tries} counts this attempt too. */
public record Attempt(HoldKey key, long holdId, UUID token, int tries, List<HeldMessage> messages) {}
