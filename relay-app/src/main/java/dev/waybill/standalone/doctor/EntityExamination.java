package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.RelaySettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.servicebus.Lookup;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;

/** Looks at an entity, and at a topic's subscriptions, as the namespace has them. */
final class EntityExamination {
    private static final int MANY_DELIVERIES = 100;
    private static final double NEARLY_FULL = 0.8;
    private static final String DEFAULT_RULE = "$Default";

    /** The service means "never" by a time that no message lives to see. */
    private static final Duration NEVER = Duration.ofDays(3_650);

    private final RelaySettings relay;
    private final NamespaceSettings namespace;
    private final Known known;
    private final Findings findings;

    EntityExamination(RelaySettings relay, NamespaceSettings namespace, Known known, Findings findings) {
        this.relay = relay;
        this.namespace = namespace;
        this.known = known;
        this.findings = findings;
    }

    void run(DestinationSettings destination) {
        role(destination);
        Lookup lookup = known.lookup(destination);
        if (lookup.isMissing()) {
            findings.error(
                    Diagnosis.ENTITY,
                    destination.place().entity(),
                    "the namespace has no such entity",
                    "see waybill-relay topology plan");
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
                    "activate it");
        }
        if (facts.state().sizeShare() >= NEARLY_FULL) {
            findings.warning(
                    Diagnosis.THROTTLED_AT_PEAK,
                    facts.path(),
                    "it is " + Math.round(facts.state().sizeShare() * 100)
                            + " % full; a full entity refuses everything",
                    "let consumers catch up, or give it a larger maximum size");
        }
        if (destination.form().topic()) {
            subscriptions(destination);
        } else {
            receiving(facts);
        }
    }

    private void role(DestinationSettings destination) {
        known.entities().mayNotSend(destination.place().entity()).ifPresent(why -> {
            String text = why.toLowerCase(java.util.Locale.ROOT);
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
                        "give the identity of this process the role Azure Service Bus Data Sender on the entity");
            } else if (!text.contains("not be found") && !text.contains("not-found")) {
                findings.unverified(Diagnosis.ROLE_MISSING, destination.place().entity(), why);
            }
        });
    }

    /** Whether the namespace is what it is declared to be. */
    void tier() {
        Optional<String> actual = known.entities().tier();
        if (actual.filter(tier -> !tier.equalsIgnoreCase(namespace.tier().name()))
                .isPresent()) {
            findings.warning(
                    Diagnosis.ENTITY,
                    "namespace " + namespace.name(),
                    "it is of tier " + actual.get() + ", declared as " + namespace.tier(),
                    "declare namespace." + namespace.name() + ".tier as it is: limits are judged by it");
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
                    "that is fixed at creation; waybill-relay topology plan has the steps to a new entity");
        }
    }

    private void window(DestinationSettings destination, EntityProperties facts) {
        Duration envelope = relay.resendEnvelope();
        if (facts.form().duplicateWindow().isZero()) {
            if (!destination.form().duplicateWindow().isZero()) {
                findings.error(
                        Diagnosis.DUPLICATES_GET_THROUGH,
                        facts.path(),
                        "duplicate detection is off",
                        "that is fixed at creation; waybill-relay topology plan has the steps to a new entity");
            }
        } else if (facts.form().duplicateWindow().compareTo(envelope) < 0) {
            findings.error(
                    Diagnosis.DUPLICATES_GET_THROUGH,
                    facts.path(),
                    "its duplicate window is " + Times.text(facts.form().duplicateWindow())
                            + "; a message may be sent again for " + Times.text(envelope)
                            + " (send deadline, lease, longest rest and restart)",
                    "give it a window of " + Times.text(envelope) + " at least; 10m is a good start");
        }
    }

    private void subscriptions(DestinationSettings topic) {
        var names =
                new LinkedHashSet<>(known.entities().subscriptions(topic.place().entity()));
        names.addAll(topic.subscriptions().keySet());
        for (String name : names) {
            Lookup lookup = known.entities().subscription(topic.place().entity(), name);
            if (lookup.isMissing()) {
                findings.error(
                        Diagnosis.ENTITY,
                        topic.place().entity() + "/Subscriptions/" + name,
                        "the topic has no such subscription",
                        "see waybill-relay topology plan");
            }
            lookup.unknown()
                    .ifPresent(why -> findings.unverified(
                            Diagnosis.ENTITY, topic.place().entity() + "/Subscriptions/" + name, why));
            lookup.facts().ifPresent(facts -> {
                receiving(facts);
                rules(topic, name, facts);
                if (topic.form().sessions()
                        && topic.subscriptions().containsKey(name)
                        && topic.subscriptions().get(name).sessions()
                        && !facts.form().sessions()) {
                    findings.error(
                            Diagnosis.ORDER_INTERLEAVES,
                            facts.path(),
                            "it does not require sessions, although messages belong together by session",
                            "that is fixed at creation; waybill-relay topology plan has the steps");
                }
            });
        }
    }

    private void rules(DestinationSettings topic, String name, EntityProperties facts) {
        boolean chooses = facts.rules().size() > 1
                || (topic.subscriptions().containsKey(name)
                        && !topic.subscriptions().get(name).rules().isEmpty());
        if (facts.rules().containsKey(DEFAULT_RULE) && chooses) {
            findings.error(
                    Diagnosis.DEFAULT_RULE_LEFT,
                    facts.path(),
                    "its rules are " + facts.rules().keySet() + ", and $Default lets everything in",
                    "az servicebus topic subscription rule delete --topic-name "
                            + topic.place().entity() + " --subscription-name " + name + " --name '$Default'");
        }
    }

    private void receiving(EntityProperties facts) {
        if (facts.state().messages().deadLetters() + facts.state().messages().transferDeadLetters() > 0
                && facts.receiving().forwardDeadLettersTo().isEmpty()) {
            findings.warning(
                    Diagnosis.DEAD_LETTERS_UNSEEN,
                    facts.path(),
                    facts.state().messages().deadLetters() + " dead letters, "
                            + facts.state().messages().transferDeadLetters() + " failed forwards",
                    "look at their reasons, then re-drive, archive or discard them; collect them from now on");
        }
        if (facts.receiving().maxDeliveryCount() >= MANY_DELIVERIES) {
            findings.warning(
                    Diagnosis.POISON_STALLS,
                    facts.path(),
                    "a message is delivered up to " + facts.receiving().maxDeliveryCount()
                            + " times before it is out of the way",
                    "10 is a good start: what fails ten times fails for good");
        }
        boolean expires = facts.receiving().timeToLive().compareTo(NEVER) < 0;
        if (expires && !facts.receiving().deadLetterOnExpiry()) {
            findings.error(
                    Diagnosis.EXPIRES_SILENTLY,
                    facts.path(),
                    "messages are dropped after " + Times.text(facts.receiving().timeToLive())
                            + ", and dead-lettering on expiry is off",
                    "az servicebus ... update --enable-dead-lettering-on-message-expiration true");
        }
        facts.receiving().forwardDeadLettersTo().ifPresent(target -> forwarded(facts, target));
    }

    // Dead letters keep their MessageId when the broker passes them on.
    private void forwarded(EntityProperties facts, String target) {
        Lookup lookup = known.entities().queue(target);
        boolean detects = lookup.facts()
                .filter(to -> !to.form().duplicateWindow().isZero())
                .isPresent();
        if (detects) {
            findings.error(
                    Diagnosis.REDRIVE_LOSES,
                    facts.path(),
                    "its dead letters are forwarded to " + target + ", which drops a MessageId it has seen",
                    "forward them to an entity without duplicate detection, or let them be collected");
        }
    }
}
