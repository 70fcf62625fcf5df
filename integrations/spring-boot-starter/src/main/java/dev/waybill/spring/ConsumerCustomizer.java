package dev.waybill.spring;

import dev.waybill.inbox.InboxConsumer;

/**
 * Changes the settings of consumers, after the properties: retries, retention, failure policies, session hooks.
 */
@FunctionalInterface
public interface ConsumerCustomizer {
    /**
     * Changes them. Called each time that a consumer is started.
     *
     * @param consumer its name in the properties
     */
    void customize(String consumer, InboxConsumer.Builder settings);
}
