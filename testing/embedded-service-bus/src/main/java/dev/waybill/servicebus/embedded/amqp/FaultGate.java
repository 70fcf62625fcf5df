package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets the broker's work pass, unless a fault is to be injected there. */
final class FaultGate {
    private FaultGate() {}

    static void pass(Broker broker, FaultPoint point, Supplier<FaultEvent> event, Step step) {
        apply(broker, broker.faults().at(point, event), step);
        step.connection().touch();
    }

    private static void apply(Broker broker, @Nullable FaultAction action, Step step) {
        if (action == null || action instanceof FaultAction.Observe) {
            step.proceed();
        } else if (action instanceof FaultAction.DropConnection) {
            step.connection().drop();
        } else if (action instanceof FaultAction.CloseConnection close) {
            step.connection().close(Errors.injected(close.error()));
        } else if (action instanceof FaultAction.Delay delay) {
            broker.loop().network().in(delay.duration().toMillis(), () -> late(step));
        } else if (action instanceof FaultAction.Reject reject) {
            step.reject(Errors.injected(reject.error()));
        } else if (action instanceof FaultAction.Detach detach) {
            step.detach(Errors.injected(detach.error()));
        } else if (action instanceof FaultAction.DeliverTwice) {
            step.deliverTwice();
        } else if (action instanceof FaultAction.ExpireLock) {
            step.expireLock();
        } else if (action instanceof FaultAction.StallReads stall) {
            step.connection().stallReads(stall.duration());
            step.proceed();
        } else if (action instanceof FaultAction.WithholdCredit) {
            step.withholdCredit();
        } else if (action instanceof FaultAction.Pretend) {
            step.pretend();
        } else if (!(action instanceof FaultAction.Swallow)) {
            throw new IllegalStateException("No such fault: " + action);
        }
    }

    // The client may have gone meanwhile. The step that it asked for is taken all the same: the broker has the request.
    private static void late(Step step) {
        step.proceed();
        step.connection().touch();
    }
}
