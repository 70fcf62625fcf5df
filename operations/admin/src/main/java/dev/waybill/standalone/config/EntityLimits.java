package dev.waybill.standalone.config;

import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The limits of Service Bus that hold in every tier. The check runs before Azure could reject the entity. */
final class EntityLimits {
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._~/-]{0,258}[A-Za-z0-9_]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]{0,48}[A-Za-z0-9_]");
    static final String NO_PATH = "no name of a queue or topic: 1 to 260 letters, digits and . - _ ~ /,"
            + " a letter or digit first and last";

    private static final Duration LONGEST_LOCK = Duration.ofMinutes(5);
    private static final Duration SHORTEST_LIFE = Duration.ofSeconds(1);
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(20);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(14);
    private static final Duration LONGEST_WINDOW = Duration.ofDays(7);
    private static final int MOST_DELIVERIES = 2_000;
    private static final int LONGEST_FILTER = 1_024;

    private final Settings settings;
    private final Checks checks;

    EntityLimits(Settings settings, Checks checks) {
        this.settings = settings;
        this.checks = checks;
    }

    void check(DestinationSettings destination) {
        List<String> key = List.of("destination", destination.name());
        path(with(key, "entity"), destination.place().entity());
        Duration window = destination.form().duplicateWindow();
        if (!window.isZero() && (window.compareTo(SHORTEST_WINDOW) < 0 || window.compareTo(LONGEST_WINDOW) > 0)) {
            problem(with(key, "duplicate-window"), "must be 0, or from 20s to 7d");
        }
        if (destination.sending().retain().compareTo(LONGEST_RETENTION) > 0) {
            problem(with(key, "retain"), "must be 14d at most");
        }
        if (!destination.form().topic()) {
            receiving(key, destination.receiving(), destination.form().sessions());
        }
        different(with(key, "subscription"), destination.subscriptions().keySet());
        destination.subscriptions().forEach((name, subscription) -> {
            subscription(with(with(key, "subscription"), name), name, subscription);
        });
    }

    private void subscription(List<String> key, String name, Subscription subscription) {
        name(key, name);
        receiving(key, subscription.receiving(), subscription.sessions());
        different(with(key, "rule"), subscription.rules().keySet());
        subscription.rules().forEach((rule, sql) -> {
            List<String> of = with(with(key, "rule"), rule);
            if (!rule.equals("$Default")) {
                name(of, rule);
            }
            if (sql.chars().anyMatch(character -> character < ' ' && character != '\n' && character != '\t')) {
                problem(of, "has a control character in it, which the namespace would not keep");
            }
            if (sql.length() > LONGEST_FILTER) {
                problem(of, "must have " + LONGEST_FILTER + " characters at most");
            }
        });
    }

    private void different(List<String> key, Set<String> names) {
        var met = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.stream()
                .filter(name -> !met.add(name))
                .forEach(name -> problem(
                        with(key, name),
                        "differs from another one in case only, of which Service Bus takes no notice"));
    }

    private void receiving(List<String> key, Receiving receiving, boolean sessions) {
        Duration lock = receiving.lockDuration();
        if (lock.isZero() || lock.compareTo(LONGEST_LOCK) > 0) {
            problem(with(key, "lock-duration"), "must be more than 0, and 5m at most");
        }
        if (receiving.maxDeliveryCount() < 1 || receiving.maxDeliveryCount() > MOST_DELIVERIES) {
            problem(with(key, "max-delivery-count"), "must be from 1 to " + MOST_DELIVERIES);
        }
        if (receiving.timeToLive().compareTo(SHORTEST_LIFE) < 0) {
            problem(with(key, "time-to-live"), "must be 1s at least");
        }
        receiving.forwardTo().ifPresent(target -> {
            path(with(key, "forward-to"), target);
            if (sessions) {
                problem(with(key, "forward-to"), "cannot be given with sessions: Service Bus forwards from none");
            }
        });
        receiving.forwardDeadLettersTo().ifPresent(target -> path(with(key, "forward-dead-letters-to"), target));
    }

    private void path(List<String> key, String path) {
        if (!isPath(path)) {
            problem(key, "is '" + path + "', and " + NO_PATH);
        }
    }

    static boolean isPath(String path) {
        return PATH.matcher(path).matches();
    }

    private void name(List<String> key, String name) {
        if (!NAME.matcher(name).matches()) {
            problem(
                    key,
                    "has no name of a subscription or rule: 1 to 50 letters, digits and . - _, a letter or digit"
                            + " first and last");
        }
    }

    private void problem(List<String> key, String text) {
        @Nullable String origin = settings.origin(key.toArray(String[]::new));
        checks.problem((origin == null ? "" : origin + ": ") + new Key(key) + " " + text);
    }

    private static List<String> with(List<String> key, String last) {
        return new Key(key).child(last).segments();
    }
}
