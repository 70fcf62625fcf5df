package dev.waybill.proof.role;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;

/** What a broker does to those who are not at fault. */
public enum BrokerFault {
    BUSY,
    ACKNOWLEDGEMENT_LOST,
    LINK_DETACHED,
    CONNECTION_DROPPED,
    LATE,
    QUOTA_EXCEEDED,
    UNAUTHORIZED,
    DELIVERED_TWICE,
    LOCK_EXPIRED,
    SETTLEMENT_LOST;

    List<Way> ways() {
        return switch (this) {
            case BUSY -> List.of(new Way(FaultPoint.BEFORE_STORE, FaultAction.reject(BrokerError.SERVER_BUSY)));
            case ACKNOWLEDGEMENT_LOST ->
                List.of(
                        new Way(FaultPoint.STORED_BEFORE_ACK, FaultAction.swallow()),
                        new Way(FaultPoint.STORED_BEFORE_ACK, FaultAction.dropConnection()),
                        new Way(FaultPoint.STORED_BEFORE_ACK, FaultAction.reject(BrokerError.INTERNAL_ERROR)));
            case LINK_DETACHED ->
                List.of(
                        new Way(FaultPoint.BEFORE_STORE, FaultAction.detach(BrokerError.DETACH_FORCED)),
                        new Way(FaultPoint.BEFORE_DELIVER, FaultAction.detach(BrokerError.DETACH_FORCED)));
            case CONNECTION_DROPPED ->
                List.of(
                        new Way(FaultPoint.BEFORE_STORE, FaultAction.dropConnection()),
                        new Way(FaultPoint.BEFORE_SETTLE, FaultAction.dropConnection()));
            case LATE -> List.of(new Way(FaultPoint.BEFORE_STORE, FaultAction.delay(Duration.ofMillis(5_500))));
            case QUOTA_EXCEEDED ->
                List.of(new Way(FaultPoint.BEFORE_STORE, FaultAction.reject(BrokerError.RESOURCE_LIMIT_EXCEEDED)));
            case UNAUTHORIZED ->
                List.of(
                        new Way(FaultPoint.BEFORE_STORE, FaultAction.detach(BrokerError.UNAUTHORIZED)),
                        new Way(FaultPoint.CBS, FaultAction.reject(BrokerError.UNAUTHORIZED)));
            case DELIVERED_TWICE -> List.of(new Way(FaultPoint.DELIVERED, FaultAction.deliverTwice()));
            case LOCK_EXPIRED -> List.of(new Way(FaultPoint.DELIVERED, FaultAction.expireLock()));
            case SETTLEMENT_LOST ->
                List.of(
                        new Way(FaultPoint.BEFORE_SETTLE, FaultAction.swallow()),
                        new Way(FaultPoint.SETTLED_BEFORE_ACK, FaultAction.dropConnection()));
        };
    }

    record Way(FaultPoint point, FaultAction action) {}
}
