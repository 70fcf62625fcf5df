package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.filter.FilterEvaluationException;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A subscription: its rules and its copies of the topic's messages. */
public final class Subscription {
    private final String name;
    private final MessageEntity messages;
    private final Map<String, SubscriptionRule> rules = new TreeMap<>();
    private boolean deadLettersFilterErrors;

    Subscription(BrokerContext context, String topic, String name, SubscriptionOptions options, Directory directory) {
        this.name = name;
        this.messages =
                new MessageEntity(context, topic + "/Subscriptions/" + name, options.delivery(), directory, null);
        this.deadLettersFilterErrors = options.deadLettersFilterErrors();
        options.rules().forEach(this::addRule);
    }

    public String name() {
        return name;
    }

    public MessageEntity messages() {
        return messages;
    }

    public boolean deadLettersFilterErrors() {
        return deadLettersFilterErrors;
    }

    public void deadLettersFilterErrors(boolean enabled) {
        deadLettersFilterErrors = enabled;
    }

    public List<SubscriptionRule> rules() {
        return List.copyOf(rules.values());
    }

    public void addRule(SubscriptionRule rule) {
        if (!rule.name().equalsIgnoreCase(SubscriptionRule.DEFAULT_NAME)) {
            Names.requireName("rule", rule.name());
        }
        if (rules.putIfAbsent(key(rule.name()), rule) != null) {
            throw new Refused(BrokerError.ENTITY_ALREADY_EXISTS, "Rule '" + rule.name() + "' already exists.");
        }
        messages.used();
    }

    public void updateRule(SubscriptionRule rule) {
        removeRule(rule.name());
        addRule(rule);
    }

    public void removeRule(String rule) {
        if (rules.remove(key(rule)) == null) {
            throw new Refused(
                    BrokerError.NOT_FOUND,
                    "The messaging entity '" + messages.path() + "|" + rule + "' could not be found.");
        }
    }

    private static String key(String rule) {
        return rule.toLowerCase(Locale.ROOT);
    }

    /** Takes one copy for all matching rules without an action, and one for each with an action. */
    void offer(Entry entry) {
        RuleView view = new RuleView(entry);
        List<SubscriptionRule> editing = new ArrayList<>();
        boolean plain = false;
        try {
            for (SubscriptionRule rule : rules.values()) {
                if (rule.filter().matches(view)) {
                    plain |= rule.action() == null;
                    editing.add(rule);
                }
            }
        } catch (FilterEvaluationException e) {
            failed(entry, e);
            return;
        }
        if (plain) {
            messages.acceptCopy(entry, entry.message(), null);
        }
        editing.forEach(rule -> edit(rule, entry, view));
    }

    private void edit(SubscriptionRule rule, Entry entry, RuleView view) {
        if (rule.action() == null) {
            return;
        }
        try {
            RuleEdit edit = new RuleEdit(rule.action().apply(view));
            BrokerMessage message = edit.message(entry.message());
            messages.acceptCopy(entry, message, edit.userProperties(entry.applicationProperties()));
        } catch (FilterEvaluationException e) {
            failed(entry, e);
        }
    }

    private void failed(Entry entry, FilterEvaluationException e) {
        if (deadLettersFilterErrors) {
            messages.buryCopy(entry, "FilterEvaluationException", e.getMessage() + "");
        }
    }
}
