package dev.waybill.standalone.console.access;

/** An authenticated request, with the CSRF token that every change must send. */
public record SignedInRequest(Person person, String csrf) {
    static final String ATTRIBUTE = "waybill.visit";
}
