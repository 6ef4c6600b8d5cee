options = {
    "kustoCluster": "https://orders.westeurope.kusto.windows.net",
    "kustoDatabase": "sales",
    "kustoTable": table_name,
    "clientBatchingLimit": 4096,
    "isAsync": "true",
}
(df.write.format("com.microsoft.kusto.spark.datasource")
    .options(**options)
    .option("writeMode", "KustoStreaming")
    .option("adjustSchema", "GenerateDynamicCsvMapping")
    .mode("Append")
    .save())
