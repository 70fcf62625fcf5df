package dev.waybill.servicebus.embedded.entity;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Wall times of an entity.
 *
 * @param accessed last send or attach; null if there was none
 */
public record EntityTimes(
        Instant created, Instant updated, @Nullable Instant accessed) {}
