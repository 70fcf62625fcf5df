package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.DestinationSettings.Form;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import java.util.Map;

/**
 * The settings of a queue, topic or subscription. Settings of other kinds are empty, zero or false.
 *
 * @param path {@code orders} or {@code events/Subscriptions/fraud}
 * @param rules SQL filters by name; a correlation filter as text
 */
public record EntityProperties(String path, Form form, Receiving receiving, State state, Map<String, String> rules) {
    public EntityProperties {
        rules = Map.copyOf(rules);
    }

    /** The state of an entity; {@code sizeShare} is the used share of its size, 0 to 1. */
    public record State(String status, double sizeShare, Messages messages) {}

    /**
     * The message counts of an entity; {@code all} includes scheduled and transfer messages, and for a topic only scheduled
     * ones.
     */
    public record Messages(long active, long deadLetters, long transferDeadLetters, long all) {}
}
