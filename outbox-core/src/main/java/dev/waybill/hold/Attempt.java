package dev.waybill.hold;

import java.util.List;
import java.util.UUID;

/**
 * The right to publish or handle the first messages of a hold, in order, until it expires by the database's clock.
 * {@code tries} counts attempts at the first message, including this one.
 */
public record Attempt(HoldKey key, long holdId, UUID token, int tries, List<HeldMessage> messages) {}
