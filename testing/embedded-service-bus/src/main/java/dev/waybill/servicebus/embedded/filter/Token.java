package dev.waybill.servicebus.embedded.filter;

record Token(TokenKind kind, String text, int position) {

    String described() {
        return switch (kind) {
            case NAME, INTEGER, REAL -> "'" + text + "'";
            case DELIMITED_NAME -> "[" + text + "]";
            case PARAMETER -> "@" + text;
            default -> kind.toString();
        };
    }
}
