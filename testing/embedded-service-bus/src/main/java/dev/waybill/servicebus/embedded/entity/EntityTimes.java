package dev.waybill.servicebus.embedded.entity;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When things happened to an entity, by the wall clock.
 *
 * @param created when it was created
 * @param updated when its settings were last changed
 * @param accessed when it was last sent to or attached to; null if it never was
 */
public record EntityTimes(
        Instant created, Instant updated, @Nullable Instant accessed) {}
