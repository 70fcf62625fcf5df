package dev.waybill.walletforge.demo.serve;

/** JDBC URLs of one server. */
final class Urls {
    private Urls() {}

    /** The same server and credentials, another database. */
    static String ofDatabase(String jdbcUrl, String database) {
        return jdbcUrl.replaceFirst("^(jdbc:postgresql://[^/]+/)[^?]*", "$1" + database);
    }
}
