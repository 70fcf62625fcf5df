package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.DestinationSettings.Form;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import java.util.Map;

/**
 * A queue, topic or subscription as the namespace has it. A property that its kind does not have is empty, zero or
 * false.
 *
 * @param path {@code orders} or {@code events/Subscriptions/fraud}
 * @param rules SQL of the rules by name; a correlation filter as text
 */
public record EntityProperties(String path, Form form, Receiving receiving, State state, Map<String, String> rules) {
    /** Copies the map. */
    public EntityProperties {
        rules = Map.copyOf(rules);
    }

    /**
     * The state of an entity.
     *
     * @param sizeShare how full it is, 0 to 1
     * @param messages how many it holds
     */
    public record State(String status, double sizeShare, Messages messages) {}

    /**
     * How many messages an entity holds.
     *
     * @param all scheduled ones and those on their way to another entity included; of a topic the scheduled ones alone
     */
    public record Messages(long active, long deadLetters, long transferDeadLetters, long all) {}
}
