package dev.waybill.spring.figures;

import org.jspecify.annotations.Nullable;

/**
 * How many messages of one kind wait.
 *
 * @param figure {@code pending}, {@code scheduled} and {@code held} of a destination, {@code inbox-held} of a consumer, {@code
 *     dead-letters} of an entity: open or quarantined ones that are collected
 * @param messages counted up to 100,000
 * @param oldestSeconds since the oldest was appended, held or collected; null of scheduled messages
 */
public record Figure(
        String figure, String name, long messages, @Nullable Double oldestSeconds) {}
