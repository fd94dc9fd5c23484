"""Language models over the one door to the network: wire formats, structured answers, prices, caps, cache and archive.

`read_model_accounts` says which model each role asks, `ModelCaller.ask` asks it one `Question`. See docs/operations.md.
"""

from s2r.modelapi.accounts import ModelAccount, model_limits, model_secrets, open_doors, read_model_accounts, setting_names
from s2r.modelapi.batch import AnswerPending, BatchCaller, BatchNews
from s2r.modelapi.batchkeep import KeptBatches
from s2r.modelapi.budget import Budget, BudgetBusy, ModelLedger, RecordBudgetExceeded, ledger_lines
from s2r.modelapi.caller import ModelCaller, ModelDoor
from s2r.modelapi.keep import Exchange, KeptModels
from s2r.modelapi.prices import Cost, PriceLine, Pricer, load_price_lines
from s2r.modelapi.profiles import Catalogue, ModelName, Profile, load_catalogue, parse_model
from s2r.modelapi.replay import replayed
from s2r.modelapi.types import (
    Citation,
    ModelAnswer,
    ModelCall,
    ModelRole,
    ModelState,
    ModelUsage,
    Question,
    WebSearch,
)

__all__ = [
    "AnswerPending",
    "BatchCaller",
    "BatchNews",
    "Budget",
    "BudgetBusy",
    "Catalogue",
    "Citation",
    "Cost",
    "Exchange",
    "KeptBatches",
    "KeptModels",
    "ModelAccount",
    "ModelAnswer",
    "ModelCall",
    "ModelCaller",
    "ModelDoor",
    "ModelLedger",
    "ModelName",
    "ModelRole",
    "ModelState",
    "ModelUsage",
    "PriceLine",
    "Pricer",
    "Profile",
    "Question",
    "RecordBudgetExceeded",
    "WebSearch",
    "ledger_lines",
    "load_catalogue",
    "load_price_lines",
    "model_limits",
    "model_secrets",
    "open_doors",
    "parse_model",
    "read_model_accounts",
    "replayed",
    "setting_names",
]
