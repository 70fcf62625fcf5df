package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Topic;

/** Topics. */
final class TopicResource {
    private static final String ELEMENT = "TopicDescription";

    private final Namespace namespace;

    TopicResource(Namespace namespace) {
        this.namespace = namespace;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("topics", request, namespace.topics(), this::entry));
    }

    String entry(Topic topic) {
        MessageEntity intake = topic.intake();
        XmlText xml = new XmlText().openDescription(ELEMENT);
        new OptionsWriter(xml, intake.options()).intake().common(intake).counts(intake.snapshot());
        xml.element("SubscriptionCount", topic.subscriptions().size());
        xml.element("FilteringMessagesBeforePublishing", false);
        xml.element("EnableSubscriptionPartitioning", false);
        return Atom.entry(
                topic.path(),
                topic.path(),
                intake.times().created(),
                xml.close(ELEMENT).toString());
    }

    Reply put(Request request, String name) {
        OptionsReader reader = new OptionsReader(request.description(ELEMENT));
        if (!request.update()) {
            TopicOptions options = TopicOptions.defaults().intake(reader::read);
            return Reply.created(entry(namespace.createTopic(name, options)));
        }
        Topic topic = namespace.topic(name);
        if (topic == null) {
            return Reply.error(404, "There is no topic " + name);
        }
        QueueOptions changed = reader.read(topic.intake().options());
        FixedSettings.check(topic.intake().options(), changed);
        topic.intake().update(changed);
        return Reply.ok(entry(topic));
    }
}
