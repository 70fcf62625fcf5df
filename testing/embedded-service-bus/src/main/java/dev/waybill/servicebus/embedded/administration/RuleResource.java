package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.entity.Subscription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

final class RuleResource {
    private static final String ELEMENT = "RuleDescription";

    private final Subscription subscription;

    RuleResource(Subscription subscription) {
        this.subscription = subscription;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("Rules", request, subscription.rules(), this::wrapped));
    }

    Reply handle(Request request, String name) {
        SubscriptionRule found = find(name);
        if (request.isGet()) {
            return found == null ? Reply.error(404, "There is no rule " + name) : Reply.ok(entry(request, found));
        }
        if (request.isDelete()) {
            subscription.removeRule(name);
            return Reply.done();
        }
        SubscriptionRule rule = RuleXml.read(name, request.description(ELEMENT));
        if (request.update()) {
            subscription.updateRule(rule);
            return Reply.ok(entry(request, rule));
        }
        subscription.addRule(rule);
        return Reply.created(entry(request, rule));
    }

    private @Nullable SubscriptionRule find(String name) {
        return subscription.rules().stream()
                .filter(rule -> rule.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    private String entry(Request request, SubscriptionRule rule) {
        return Atom.entry(request, wrapped(rule));
    }

    private Atom.Entry wrapped(SubscriptionRule rule) {
        Instant created = subscription.messages().times().created();
        String path = subscription.messages().path() + "/Rules/" + rule.name();
        return new Atom.Entry(path, rule.name(), created, created, false, RuleXml.write(rule, created));
    }
}
