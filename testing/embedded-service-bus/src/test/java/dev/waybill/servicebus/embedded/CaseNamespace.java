package dev.waybill.servicebus.embedded;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.journal.EntityJournal;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Where a case runs: an embedded broker of its own, or entities of its own in a namespace that is reached as Azure is. */
interface CaseNamespace extends AutoCloseable {
    /** The name that an entity has here, whether the case described it or makes it itself. */
    String name(String described);

    ServiceBusClientBuilder client();

    ServiceBusAdministrationClient administration();

    EntityCounts inspect(String path);

    /** The ids of the messages of a queue or subscription, in their order. */
    List<String> ids(String path);

    /**
     * The broker itself.
     *
     * @param why what the case needs of it; the reason in the report where there is no such broker
     */
    EmbeddedServiceBus embedded(String why);

    @Override
    void close();

    default void advance(Duration by) {
        embedded("moves time ahead").advance(by);
    }

    default void expireLocks(String entity) {
        embedded("ends locks at once").expireLocks(entity);
    }

    default Faults faults() {
        return embedded("injects faults").faults();
    }

    default EntityJournal journal(String entity) {
        return embedded("reads the journal").journal(entity);
    }

    default int connectionCount() {
        return embedded("counts the broker's connections").connectionCount();
    }

    default void dropConnections() {
        embedded("cuts connections").dropConnections();
    }

    default int port() {
        return embedded("speaks AMQP without the client library").port();
    }

    default int administrationPort() {
        return embedded("speaks HTTP without the client library").administrationPort();
    }

    default void createQueue(String name, UnaryOperator<QueueOptions> settings) {
        embedded("uses the broker's own administration").createQueue(name, settings);
    }

    default void createTopic(String name, UnaryOperator<TopicOptions> settings) {
        embedded("uses the broker's own administration").createTopic(name, settings);
    }

    default void update(String entity, UnaryOperator<QueueOptions> change) {
        embedded("uses the broker's own administration").update(entity, change);
    }
}
