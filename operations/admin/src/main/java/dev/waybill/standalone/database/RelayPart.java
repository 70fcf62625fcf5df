package dev.waybill.standalone.database;

/** The share of one relay in an outbox; the oldest live relay exports the metrics of the whole outbox. */
public record RelayPart(boolean tellsOfAll, int destinations, long ownerChanges) {}
