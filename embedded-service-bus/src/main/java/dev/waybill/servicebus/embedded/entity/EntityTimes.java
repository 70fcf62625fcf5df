package dev.waybill.servicebus.embedded.entity;

import java.time.Instant;

/**
 * When things happened to an entity, by the wall clock.
 *
 * @param created when it was created
 * @param updated when its settings were last changed
 * @param accessed when it was last sent to or attached to
 */
public record EntityTimes(Instant created, Instant updated, Instant accessed) {}
