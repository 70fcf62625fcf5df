package dev.waybill.standalone.config;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Variables of the Spring starter, whose properties begin with {@code waybill} as well. A command that runs beside a service
 * sees them.
 */
final class SpringVariables {
    private static final String OF_DESTINATIONS = "sessions maximum-size claims-above refused retain";

    private static final String OF_CONSUMERS =
            "enabled queue topic subscription sessions lock-duration max-delivery-count"
                    + " concurrency handler-timeout lock-timeout batch read-ahead session-idle on-failure outside-work transactions"
                    + " drain";

    private static final String OF_RELAYS =
            "enabled name lease-duration send-deadline poll-interval longest-idle batch-rows listening";

    private static final String OF_SERVICE_BUS = "connection-string namespace custom-endpoint-address";

    private static final String OTHERS = "enabled auto-startup schema source data-source transaction-manager migrations"
            + " tenants object-mapper cloud-events features tracing.enabled";

    private static final Pattern NAMES = Pattern.compile(Stream.of(
                    below("destinations.*.", OF_DESTINATIONS),
                    below("consumers.*.", OF_CONSUMERS),
                    below("relay.", OF_RELAYS),
                    below("servicebus.", OF_SERVICE_BUS),
                    below("", OTHERS))
            .flatMap(names -> names)
            .map(SpringVariables::variable)
            .collect(Collectors.joining("|", Environment.PREFIX + "(OUTBOXES_[A-Z0-9_]+_)?(", ")(_[0-9]+_?)?")));

    private SpringVariables() {}

    static boolean isOne(String variable) {
        return NAMES.matcher(variable).matches();
    }

    private static Stream<String> below(String prefix, String properties) {
        return Stream.of(properties.split(" ", -1)).map(property -> prefix + property);
    }

    // Spring drops hyphens, and also takes underscores for them.
    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT)
                .replace(".", "_")
                .replace("-", "_?")
                .replace("*", "[A-Z0-9_]+");
    }
}
