package dev.waybill.spring.autoconfigure;

import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.schema.SchemaName;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
@ConditionalOnProperty(name = "waybill.auto-startup", matchIfMissing = true) // none in tests, which ask the broker
class DeadLetterCollecting implements AutoCloseable {
    private final AtomicReference<DeadLetterCollector> collector = new AtomicReference<>();

    @EventListener
    void start(ApplicationReadyEvent ready) {
        var beans = ready.getApplicationContext();
        var schema = new SchemaName(beans.getEnvironment().getProperty("waybill.schema", "waybill"));
        var queue = ServiceBusDeadLetters.ofQueue(beans.getBean(ServiceBusConnections.class), "orders");
        collector.set(DeadLetterCollector.start(beans.getBean(DataSource.class), schema, List.of(queue)));
    }

    @Override
    public void close() {
        Optional.ofNullable(collector.get()).ifPresent(DeadLetterCollector::close);
    }
}
