package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.servicebus.EntityLookup;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.topology.AzureCommands;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Examines an entity and its subscriptions. */
final class EntityExamination {
    /** The fix of a missing entity. */
    static final String CREATE =
            "waybill-relay topology plan   # if it was there before, first runbooks/refused.md: its messages are gone";

    private static final int MANY_DELIVERIES = 100;
    private static final double NEARLY_FULL = 0.8;
    private static final Duration USUAL_WINDOW = Duration.ofMinutes(10);
    private static final String DEFAULT_RULE = "$Default";
    private static final String EVERYTHING = "1=1";

    /** Service Bus encodes "never" as a very long time. */
    private static final Duration NEVER = Duration.ofDays(3_650);

    private final Configuration configuration;
    private final NamespaceSettings namespace;
    private final Known known;
    private final Findings findings;

    EntityExamination(Configuration configuration, NamespaceSettings namespace, Known known, Findings findings) {
        this.configuration = configuration;
        this.namespace = namespace;
        this.known = known;
        this.findings = findings;
    }

    void run(DestinationSettings destination) {
        role(destination);
        EntityLookup lookup = known.lookup(destination);
        if (lookup.isMissing()) {
            findings.error(Diagnosis.ENTITY, destination.place().entity(), "the namespace has no such entity", CREATE);
        }
        lookup.unknown()
                .ifPresent(why -> findings.unverified(
                        Diagnosis.ENTITY, destination.place().entity(), why));
        lookup.facts().ifPresent(facts -> examine(destination, facts));
    }

    private void examine(DestinationSettings destination, EntityProperties facts) {
        sessions(destination, facts);
        window(destination, facts);
        if (!facts.state().status().equals("Active")) {
            findings.error(
                    Diagnosis.ENTITY,
                    facts.path(),
                    "its status is " + facts.state().status(),
                    known.azure().update(destination, "--status Active"));
        }
        if (facts.state().sizeShare() >= NEARLY_FULL) {
            findings.warning(
                    Diagnosis.THROTTLED_AT_PEAK,
                    facts.path(),
                    "it is " + Math.round(facts.state().sizeShare() * 100)
                            + " % full; a full entity refuses everything",
                    known.azure().update(destination, "--max-size 5120") + "   # MiB; or let consumers catch up");
        }
        if (destination.form().topic()) {
            subscriptions(destination);
        } else {
            receiving(facts);
            collected(destination.name(), facts);
        }
    }

    private void role(DestinationSettings destination) {
        known.entities().mayNotSend(destination.place().entity()).ifPresent(why -> {
            String text = why.toLowerCase(Locale.ROOT);
            if (text.contains("unauthorized")
                    || text.contains("401")
                    || text.contains("claim")
                    || text.contains("put-token")
                    || text.contains("credential")
                    || text.contains("signature")) {
                findings.error(
                        Diagnosis.ROLE_MISSING,
                        destination.place().entity(),
                        "the namespace does not let us send: " + why,
                        known.azure().allowSending(destination));
            } else if (!text.contains("not be found") && !text.contains("not-found")) {
                findings.unverified(Diagnosis.ROLE_MISSING, destination.place().entity(), why);
            }
        });
    }

    void tier() {
        Optional<String> actual = known.entities().tier();
        if (actual.filter(tier -> !tier.equalsIgnoreCase(namespace.tier().name()))
                .isPresent()) {
            findings.warning(
                    Diagnosis.ENTITY,
                    "namespace " + namespace.name(),
                    "it is of tier " + actual.get() + ", declared as " + namespace.tier(),
                    "doctor and topology judge limits and features by the declared tier, not by the real one",
                    "export WAYBILL_NAMESPACE_"
                            + namespace.name().toUpperCase(Locale.ROOT).replace('-', '_') + "_TIER="
                            + actual.get().toLowerCase(Locale.ROOT)
                            + "   # or in the file: limits are judged by it");
        }
    }

    private void sessions(DestinationSettings destination, EntityProperties facts) {
        if (!destination.form().topic()
                && destination.form().sessions()
                && !facts.form().sessions()) {
            findings.error(
                    Diagnosis.ORDER_INTERLEAVES,
                    facts.path(),
                    "it does not require sessions, although messages belong together by session",
                    "waybill-relay topology plan   # it is fixed at creation: the steps to a new entity");
        }
    }

    private void window(DestinationSettings destination, EntityProperties facts) {
        Duration envelope = configuration.relay().resendEnvelope();
        if (facts.form().duplicateWindow().isZero()) {
            if (!destination.form().duplicateWindow().isZero()) {
                findings.error(
                        Diagnosis.DUPLICATES_GET_THROUGH,
                        facts.path(),
                        "duplicate detection is off",
                        "waybill-relay topology plan   # it is fixed at creation: the steps to a new entity");
            }
        } else if (facts.form().duplicateWindow().compareTo(envelope) < 0) {
            findings.error(
                    Diagnosis.DUPLICATES_GET_THROUGH,
                    facts.path(),
                    "its duplicate window is " + Times.text(facts.form().duplicateWindow())
                            + "; a message may be sent again for " + Times.text(envelope)
                            + " (send deadline, lease, longest rest and restart)",
                    known.azure()
                            .update(
                                    destination,
                                    AzureCommands.window(Collections.max(List.of(envelope, USUAL_WINDOW)))));
        }
    }

    private void subscriptions(DestinationSettings topic) {
        Optional<List<String>> there =
                known.entities().subscriptionsOf(topic.place().entity());
        var names = new LinkedHashSet<>(there.orElse(List.of()));
        names.addAll(topic.subscriptions().keySet());
        if (there.isPresent() && names.isEmpty()) {
            findings.warning(
                    Diagnosis.ENTITY,
                    topic.place().entity(),
                    "the topic has no subscription: the broker accepts its messages, and drops them",
                    "a topic keeps nothing: the relay deletes a row once the broker has accepted its message",
                    "waybill-relay topology plan   # once destination." + topic.name() + " declares a subscription");
        }
        for (String name : names) {
            EntityLookup lookup = known.entities().subscription(topic.place().entity(), name);
            if (lookup.isMissing()) {
                findings.error(
                        Diagnosis.ENTITY,
                        topic.place().entity() + "/Subscriptions/" + name,
                        "the topic has no such subscription",
                        CREATE);
            }
            lookup.unknown()
                    .ifPresent(why -> findings.unverified(
                            Diagnosis.ENTITY, topic.place().entity() + "/Subscriptions/" + name, why));
            lookup.facts().ifPresent(facts -> {
                receiving(facts);
                collected(topic.name() + "/" + name, facts);
                rules(topic, name, facts);
                if (topic.form().sessions()
                        && topic.subscriptions().containsKey(name)
                        && topic.subscriptions().get(name).sessions()
                        && !facts.form().sessions()) {
                    findings.error(
                            Diagnosis.ORDER_INTERLEAVES,
                            facts.path(),
                            "it does not require sessions, although messages belong together by session",
                            "waybill-relay topology plan   # it is fixed at creation: the steps to a new one");
                }
            });
        }
    }

    private void rules(DestinationSettings topic, String name, EntityProperties facts) {
        boolean chooses = facts.rules().size() > 1
                || (topic.subscriptions().containsKey(name)
                        && !topic.subscriptions().get(name).rules().isEmpty());
        if (facts.rules().getOrDefault(DEFAULT_RULE, "").startsWith(EVERYTHING) && chooses) {
            findings.error(
                    Diagnosis.DEFAULT_RULE_LEFT,
                    facts.path(),
                    "its rules are " + facts.rules().keySet() + ", and $Default lets everything in",
                    known.azure().deleteRule(topic.place().entity(), name, DEFAULT_RULE));
        }
    }

    private void receiving(EntityProperties facts) {
        // Where they are forwarded, those that are counted could not be.
        if (facts.state().messages().deadLetters() + facts.state().messages().transferDeadLetters() > 0) {
            findings.warning(
                    Diagnosis.DEAD_LETTERS_UNSEEN,
                    facts.path(),
                    facts.state().messages().deadLetters() + " dead letters, "
                            + facts.state().messages().transferDeadLetters() + " failed forwards",
                    "waybill-relay dlq collectors   # collect them (database.NAME.collect);"
                            + " runbooks/dead-letters-uncollected.md");
        }
        if (facts.receiving().maxDeliveryCount() >= MANY_DELIVERIES) {
            findings.warning(
                    Diagnosis.POISON_STALLS,
                    facts.path(),
                    "a message is delivered up to " + facts.receiving().maxDeliveryCount()
                            + " times before it is out of the way",
                    known.azure().update(facts.path(), "--max-delivery-count 10")
                            + "   # what fails ten times fails for good");
        }
        boolean expires = facts.receiving().timeToLive().compareTo(NEVER) < 0;
        if (expires && !facts.receiving().deadLetterOnExpiry()) {
            findings.error(
                    Diagnosis.EXPIRES_SILENTLY,
                    facts.path(),
                    "messages are dropped after " + Times.text(facts.receiving().timeToLive())
                            + ", and dead-lettering on expiry is off",
                    known.azure().update(facts.path(), "--enable-dead-lettering-on-message-expiration true"));
        }
        facts.receiving().forwardDeadLettersTo().ifPresent(target -> forwarded(facts, target));
    }

    private void collected(String name, EntityProperties facts) {
        boolean declared = configuration.databases().stream()
                .anyMatch(database -> database.collect().contains(name));
        facts.receiving().forwardDeadLettersTo().filter(target -> declared).ifPresent(target -> {
            findings.error(
                    Diagnosis.DEAD_LETTERS_UNSEEN,
                    facts.path(),
                    "a database collects its dead letters, and the broker forwards them to " + target,
                    known.azure().update(facts.path(), "--forward-dead-lettered-messages-to ''"));
        });
    }

    // A forwarded dead letter keeps its MessageId.
    private void forwarded(EntityProperties facts, String target) {
        EntityLookup lookup = known.entities().queue(target);
        boolean detects = lookup.facts()
                .filter(to -> !to.form().duplicateWindow().isZero())
                .isPresent();
        if (detects) {
            findings.error(
                    Diagnosis.REDRIVE_LOSES,
                    facts.path(),
                    "its dead letters are forwarded to " + target + ", which drops a MessageId it has seen",
                    known.azure().update(facts.path(), "--forward-dead-lettered-messages-to ''")
                            + "   # and let them be collected, or forward them to where nothing is dropped");
        }
    }
}
