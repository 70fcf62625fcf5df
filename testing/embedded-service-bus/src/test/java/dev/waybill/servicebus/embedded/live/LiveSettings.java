package dev.waybill.servicebus.embedded.live;

import java.util.Optional;
import java.util.function.Function;

/** The settings of a live run, which the build gives as system properties. */
final class LiveSettings {
    static final String LIVE = "waybill.live";
    static final String HOST = "waybill.live.host";
    static final String CONNECTION_STRING = "waybill.live.connection-string";
    static final String AMQP_PORT = "waybill.live.amqp-port";
    static final String ADMINISTRATION_PORT = "waybill.live.administration-port";
    static final String REPORT = "waybill.live.report";
    static final String CONNECTION_STRING_VARIABLE = "WAYBILL_LIVE_CONNECTION_STRING";

    private LiveSettings() {}

    static boolean isLive(Function<String, Optional<String>> settings) {
        return settings.apply(LIVE).map(Boolean::parseBoolean).orElse(false);
    }

    /** A setting that is there and not blank: the build passes on what it was not given as an empty text. */
    static Optional<String> given(Function<String, Optional<String>> settings, String name) {
        return settings.apply(name).filter(text -> !text.isBlank());
    }
}
