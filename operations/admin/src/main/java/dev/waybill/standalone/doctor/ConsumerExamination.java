package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.servicebus.EntityLookup;
import dev.waybill.standalone.servicebus.EntityProperties;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Compares the declaration of a consumer with its entity. */
final class ConsumerExamination {
    private static final Duration NEVER = Duration.ofDays(3_650);

    private final Configuration configuration;
    private final Function<NamespaceSettings, Known> namespaces;
    private final Findings findings;

    ConsumerExamination(Configuration configuration, Function<NamespaceSettings, Known> namespaces, Findings findings) {
        this.configuration = configuration;
        this.namespaces = namespaces;
        this.findings = findings;
    }

    void run(ConsumerSettings consumer) {
        String where = "consumer " + consumer.name();
        if (consumer.receiveAndDelete()) {
            findings.error(
                    Diagnosis.VANISHES_ON_CRASH,
                    where,
                    "it receives and deletes",
                    "receive with peek-lock, and complete after the commit");
        }
        Optional<EntityProperties> facts = facts(consumer);
        if (facts.isEmpty() && isHidden(consumer)) {
            return;
        }
        if (facts.isEmpty()) {
            findings.unverified(
                    Diagnosis.PROCESSED_TWICE, where, "the settings of " + consumer.entity() + " are not known");
            return;
        }
        locks(consumer, where, facts.get());
        retention(consumer, where, facts.get());
    }

    private void locks(ConsumerSettings consumer, String where, EntityProperties facts) {
        Duration lock = facts.receiving().lockDuration();
        Duration covered = lock.compareTo(consumer.handling().lockRenewal()) > 0
                ? lock
                : consumer.handling().lockRenewal();
        if (consumer.handling().handlerTime().compareTo(covered) > 0) {
            findings.error(
                    Diagnosis.PROCESSED_TWICE,
                    where,
                    "its handler may take " + Times.text(consumer.handling().handlerTime())
                            + ", and it has a message for "
                            + Times.text(covered) + " (lock " + Times.text(lock) + ", renewed for "
                            + Times.text(consumer.handling().lockRenewal()) + ")",
                    "renew the lock for the worst case, or make the handler faster");
        }
        if (consumer.handling().prefetch() > 0
                && (facts.form().sessions()
                        || consumer.handling().prefetch()
                                > 3 * consumer.handling().concurrency())) {
            findings.warning(
                    Diagnosis.PROCESSED_TWICE,
                    where,
                    "it has " + consumer.handling().prefetch()
                            + " messages sent ahead, whose locks run out while they wait",
                    "set prefetch to 0 with sessions or slow handlers, else to three times the concurrency at most");
        }
    }

    private void retention(ConsumerSettings consumer, String where, EntityProperties facts) {
        if (consumer.memory().retention().isZero()) {
            return;
        }
        Duration life = facts.receiving().timeToLive().compareTo(NEVER) < 0
                ? facts.receiving().timeToLive()
                : NEVER;
        Duration longest = life.compareTo(facts.form().duplicateWindow()) > 0
                ? life
                : facts.form().duplicateWindow();
        Duration needed = longest.plus(consumer.memory().redriveHorizon());
        if (consumer.memory().retention().compareTo(needed) < 0) {
            findings.error(
                    Diagnosis.FORGETS_TOO_EARLY,
                    where,
                    "it remembers ids for " + Times.text(consumer.memory().retention()) + "; a message may lie for "
                            + Times.text(life) + " and come back for "
                            + Times.text(consumer.memory().redriveHorizon()),
                    "remember ids for " + Times.text(needed) + " at least");
        }
    }

    private Optional<EntityProperties> facts(ConsumerSettings consumer) {
        return configuration.destinations().stream()
                .filter(destination -> isOf(consumer, destination))
                .findFirst()
                .flatMap(destination -> facts(consumer, destination));
    }

    private Optional<EntityProperties> facts(ConsumerSettings consumer, DestinationSettings destination) {
        return lookup(consumer, destination).flatMap(EntityLookup::facts);
    }

    private Optional<EntityLookup> lookup(ConsumerSettings consumer, DestinationSettings destination) {
        Optional<Known> known =
                known(destination).filter(namespace -> namespace.away().isEmpty());
        if (consumer.entity().equals(destination.name())) {
            return known.map(namespace -> namespace.lookup(destination));
        }
        String subscription = consumer.entity().substring(destination.name().length() + 1);
        return known.map(namespace ->
                namespace.entities().subscription(destination.place().entity(), subscription));
    }

    // Another finding reports the unreachable namespace.
    private boolean isHidden(ConsumerSettings consumer) {
        return configuration.destinations().stream()
                .filter(destination -> isOf(consumer, destination))
                .anyMatch(destination -> lookup(consumer, destination)
                        .map(lookup -> lookup.unknown().isPresent())
                        .orElse(true));
    }

    private static boolean isOf(ConsumerSettings consumer, DestinationSettings destination) {
        return consumer.entity().equals(destination.name())
                || (destination.form().topic() && consumer.entity().startsWith(destination.name() + "/"));
    }

    private Optional<Known> known(DestinationSettings destination) {
        return configuration.namespaces().stream()
                .filter(namespace -> configuration.destinations(namespace).contains(destination))
                .findFirst()
                .map(namespaces);
    }
}
