package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Subscription;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class RuleOperations {
    private final Namespace namespace;
    private final String path;

    RuleOperations(Namespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    void register(Map<String, Operation> operations) {
        operations.put("add-rule", (arguments, by) -> add(arguments));
        operations.put("remove-rule", (arguments, by) -> remove(arguments));
        operations.put("enumerate-rules", (arguments, by) -> list(arguments));
    }

    private Subscription subscription() {
        Subscription found = namespace.subscription(path);
        if (found == null) {
            throw new Refused(BrokerError.NOT_ALLOWED, "'" + path + "' is no subscription and has no rules.");
        }
        return found;
    }

    private Reply add(Arguments arguments) {
        String name = arguments.requiredText("rule-name");
        subscription().addRule(RuleCodec.decode(name, arguments.map("rule-description")));
        return Reply.ok();
    }

    private Reply remove(Arguments arguments) {
        subscription().removeRule(arguments.requiredText("rule-name"));
        return Reply.ok();
    }

    private Reply list(Arguments arguments) {
        List<Map<String, Object>> rules = new ArrayList<>();
        subscription().rules().stream()
                .skip(arguments.page("skip", 0))
                .limit(arguments.page("top", Integer.MAX_VALUE))
                .forEach(rule -> rules.add(description(rule)));
        return rules.isEmpty() ? Reply.nothing() : Reply.ok(Map.of("rules", rules));
    }

    private static Map<String, Object> description(SubscriptionRule rule) {
        return Map.of("rule-description", RuleCodec.encode(rule));
    }
}
