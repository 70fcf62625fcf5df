package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Subscription;
import dev.waybill.servicebus.embedded.entity.Topic;
import dev.waybill.servicebus.embedded.filter.FilterSyntaxException;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Decides what a request is about. Runs on the broker's thread. */
final class AdministrationApi {
    private final Namespace namespace;
    private final Instant created;
    private final QueueResource queues;
    private final TopicResource topics;

    AdministrationApi(Namespace namespace, Instant created) {
        this.namespace = namespace;
        this.created = created;
        this.queues = new QueueResource(namespace);
        this.topics = new TopicResource(namespace);
    }

    Reply handle(Request request) {
        try {
            return route(request);
        } catch (Refused why) {
            return Reply.error(status(why), why.description());
        } catch (FilterSyntaxException
                | IllegalArgumentException
                | IllegalStateException
                | ArithmeticException
                | DateTimeException e) {
            return Reply.error(400, "" + e.getMessage());
        }
    }

    private static int status(Refused why) {
        return switch (why.error()) {
            case NOT_FOUND -> 404;
            case ENTITY_ALREADY_EXISTS -> 409;
            default -> 400;
        };
    }

    private Reply route(Request request) {
        List<String> path = request.path();
        int at = indexOf(path, "subscriptions");
        if (path.isEmpty()) {
            return Reply.error(404, "No entity is named");
        }
        if (path.get(0).equals("$namespaceinfo")) {
            return Reply.ok(namespaceInfo(request));
        }
        if (path.get(0).equalsIgnoreCase("$Resources") && path.size() > 1) {
            return path.get(1).equalsIgnoreCase("topics") ? topics.list(request) : queues.list(request);
        }
        if (at > 0) {
            return underTopic(request, String.join("/", path.subList(0, at)), path.subList(at + 1, path.size()));
        }
        return entity(request, String.join("/", path));
    }

    private static int indexOf(List<String> path, String segment) {
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).toLowerCase(Locale.ROOT).equals(segment)) {
                return i;
            }
        }
        return -1;
    }

    private Reply entity(Request request, String name) {
        if (request.isDelete()) {
            namespace.delete(name);
            return Reply.done();
        }
        if (!request.isGet()) {
            return request.describes("TopicDescription") ? topics.put(request, name) : queues.put(request, name);
        }
        MessageEntity queue = namespace.queue(name);
        Topic topic = namespace.topic(name);
        if (queue != null) {
            return Reply.ok(queues.entry(request, queue));
        }
        return Reply.ok(topic == null ? Atom.nothing(request) : topics.entry(request, topic));
    }

    private Reply underTopic(Request request, String topicName, List<String> rest) {
        Topic topic = namespace.topic(topicName);
        if (topic == null) {
            return Reply.error(404, "There is no topic " + topicName);
        }
        SubscriptionResource subscriptions = new SubscriptionResource(topic);
        if (rest.isEmpty()) {
            return subscriptions.list(request);
        }
        if (rest.size() == 1) {
            return subscriptions.handle(request, rest.get(0));
        }
        Subscription subscription = topic.subscription(rest.get(0));
        if (subscription == null) {
            return Reply.error(404, "There is no subscription " + rest.get(0));
        }
        RuleResource rules = new RuleResource(subscription);
        return rest.size() == 2 ? rules.list(request) : rules.handle(request, rest.get(2));
    }

    private String namespaceInfo(Request request) {
        String info = new XmlText()
                .openDescription("NamespaceInfo")
                .element("CreatedTime", created)
                .element("MessagingSKU", "Premium")
                .element("MessagingUnits", 1)
                .element("ModifiedTime", created)
                .element("Name", "embedded")
                .element("NamespaceType", "Messaging")
                .close("NamespaceInfo")
                .toString();
        return Atom.entry(request, new Atom.Entry("$namespaceinfo", "embedded", null, created, true, info));
    }
}
