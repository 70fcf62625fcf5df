package dev.waybill.spring;

import dev.waybill.inbox.InboxConsumer;

/**
 * The consumers of this process as the properties and the service's beans say, for those who run one by
 * themselves: tests, or jobs with {@code waybill.auto-startup: false}. A bean.
 */
public interface ConfiguredConsumers {
    /**
     * The settings of a consumer with its handler, its transactions and its source. Each call makes them anew, so
     * that each consumer built from them is another one.
     *
     * @throws IllegalArgumentException if no enabled consumer has that name
     */
    InboxConsumer.Builder builder(String name);
}
