package dev.waybill.hold;

/** The operator, a person or a job, and the reason of an action. */
public record AuditContext(String operator, String reason) {
    public AuditContext {
        if (operator.isBlank() || reason.isBlank()) {
            throw new IllegalArgumentException("An operator's action needs the operator's name and a reason");
        }
    }
}
