package dev.waybill.relay;

import dev.waybill.supervision.OutsideFailure;

/** Another relay has the lane now. */
final class LaneLostException extends IllegalStateException implements OutsideFailure {
    private static final long serialVersionUID = 1L;

    LaneLostException(Lane lane) {
        super("Bucket " + lane.bucket() + " belongs to another relay now; nothing of it is sent");
    }
}
