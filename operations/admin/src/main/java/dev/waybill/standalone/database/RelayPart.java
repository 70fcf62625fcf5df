package dev.waybill.standalone.database;

/**
 * The share of one relay in an outbox.
 *
 * @param tellsOfAll whether it exports the metrics of the whole outbox; the oldest live relay does
 * @param destinations how many it owns
 * @param ownerChanges how often any destination changed its owner
 */
public record RelayPart(boolean tellsOfAll, int destinations, long ownerChanges) {}
