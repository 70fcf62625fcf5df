package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.entity.EntityTimes;
import dev.waybill.servicebus.embedded.entity.Subscription;
import dev.waybill.servicebus.embedded.entity.Topic;
import org.jspecify.annotations.Nullable;

final class SubscriptionResource {
    private static final String ELEMENT = "SubscriptionDescription";

    private final Topic topic;

    SubscriptionResource(Topic topic) {
        this.topic = topic;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("Subscriptions", request, topic.subscriptions(), found -> wrapped(request, found)));
    }

    Reply handle(Request request, String name) {
        Subscription found = topic.subscription(name);
        if (request.isGet()) {
            return found == null
                    ? Reply.error(404, "There is no subscription " + name)
                    : Reply.ok(entry(request, found));
        }
        if (request.isDelete()) {
            topic.deleteSubscription(name);
            return Reply.done();
        }
        return request.update() ? update(request, name, found) : create(request, name);
    }

    private Reply create(Request request, String name) {
        XmlElement description = request.description(ELEMENT);
        OptionsReader reader = new OptionsReader(description);
        SubscriptionOptions options = SubscriptionOptions.defaults()
                .delivery(reader::read)
                .deadLetterOnFilterError(deadLettersFilterErrors(reader, true));
        XmlElement rule = description.find("DefaultRuleDescription");
        if (rule != null) {
            String ruleName = rule.text("Name");
            options = options.rule(RuleXml.read(ruleName == null ? SubscriptionRule.DEFAULT_NAME : ruleName, rule));
        }
        return Reply.created(entry(request, topic.createSubscription(name, options)));
    }

    private Reply update(Request request, String name, @Nullable Subscription found) {
        if (found == null) {
            return Reply.error(404, "There is no subscription " + name);
        }
        OptionsReader reader = new OptionsReader(request.description(ELEMENT));
        QueueOptions changed = reader.read(found.messages().options());
        FixedSettings.check(found.messages().options(), changed);
        found.messages().update(changed);
        found.deadLettersFilterErrors(deadLettersFilterErrors(reader, found.deadLettersFilterErrors()));
        return Reply.ok(entry(request, found));
    }

    private static boolean deadLettersFilterErrors(OptionsReader reader, boolean otherwise) {
        Boolean asked = reader.flag("DeadLetteringOnFilterEvaluationExceptions", null);
        return asked == null ? otherwise : asked;
    }

    private static String entry(Request request, Subscription subscription) {
        return Atom.entry(request, wrapped(request, subscription));
    }

    private static Atom.Entry wrapped(Request request, Subscription subscription) {
        EntityTimes times = subscription.messages().times();
        return new Atom.Entry(
                subscription.messages().path(),
                subscription.name(),
                times.created(),
                times.updated(),
                false,
                OptionsWriter.subscription(request, subscription));
    }
}
