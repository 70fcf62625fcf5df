package dev.waybill.standalone.database;

/**
 * The part of one relay among those of an outbox.
 *
 * @param tellsOfAll whether it is the one that tells the figures of the whole outbox: the living relay
 *     process that started first, or each one if none is alive
 * @param destinations how many it owns
 * @param ownerChanges how often destinations have changed their owner, of all relays and since the outbox is there
 */
public record RelayPart(boolean tellsOfAll, int destinations, long ownerChanges) {}
