package dev.waybill.spring;

import dev.waybill.relay.Relay;

/** Changes the settings of the relay, each time that it is started, after the properties. */
@FunctionalInterface
public interface RelayCustomizer {
    /** Changes them. */
    void customize(Relay.Builder settings);
}
