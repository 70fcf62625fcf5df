package dev.waybill.hold;

import java.util.List;
import java.util.UUID;

/**
 * The right to publish or handle the messages of a hold, until its end on the database's clock.
 *
 * @param tries attempts at the first message, this one included
 * @param messages the first ones, in order
 */
public record Attempt(HoldKey key, long holdId, UUID token, int tries, List<HeldMessage> messages) {}
