package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.entity.Subscription;
import org.jspecify.annotations.Nullable;

/** The rules of one subscription. */
final class RuleResource {
    private static final String ELEMENT = "RuleDescription";

    private final Subscription subscription;

    RuleResource(Subscription subscription) {
        this.subscription = subscription;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("rules", request, subscription.rules(), this::entry));
    }

    Reply handle(Request request, String name) {
        SubscriptionRule found = find(name);
        if (request.isGet()) {
            return found == null ? Reply.error(404, "There is no rule " + name) : Reply.ok(entry(found));
        }
        if (request.isDelete()) {
            subscription.removeRule(name);
            return Reply.done();
        }
        SubscriptionRule rule = RuleXml.read(name, request.description(ELEMENT));
        if (request.update()) {
            subscription.updateRule(rule);
            return Reply.ok(entry(rule));
        }
        subscription.addRule(rule);
        return Reply.created(entry(rule));
    }

    private @Nullable SubscriptionRule find(String name) {
        return subscription.rules().stream()
                .filter(rule -> rule.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    private String entry(SubscriptionRule rule) {
        return Atom.entry(
                subscription.messages().path() + "/rules/" + rule.name(),
                rule.name(),
                subscription.messages().times().created(),
                RuleXml.write(rule));
    }
}
