package shop;

import dev.waybill.spring.InboxHandler;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** The shop's handlers: the things that it does when messages come. */
@Component
class Handlers {
    private final Stock stock;
    private final Audit audit;
    private final ApplicationEventPublisher events;

    Handlers(Stock stock, Audit audit, ApplicationEventPublisher events) {
        this.stock = stock;
        this.audit = audit;
        this.events = events;
    }

    /** The message's body. */
    record Ordered(String item) {}

    /** Told when goods were taken. */
    record Taken(String item) {}

    @InboxHandler(destination = "orders")
    void ordered(Ordered ordered) {
        stock.take(ordered.item());
        events.publishEvent(new Taken(ordered.item()));
    }

    @InboxHandler(destination = "audits")
    void audited(String line) {
        audit.write(line);
    }
}
