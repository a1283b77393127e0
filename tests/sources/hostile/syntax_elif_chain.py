# expect: refuse static.syntax | static.class
x = 1
if x == 0:
    pass
elif x == 1:
    pass
elif x == 2:
    pass
elif x == 3:
    pass
elif x == 4:
    pass
elif x == 5:
    pass
elif x == 6:
    pass
elif x == 7:
    pass
elif x == 8:
    pass
elif x == 9:
    pass
elif x == 10:
    pass
elif x == 11:
    pass
elif x == 12:
    pass
elif x == 13:
    pass
elif x == 14:
    pass
elif x == 15:
    pass
elif x == 16:
    pass
elif x == 17:
    pass
elif x == 18:
    pass
elif x == 19:
    pass
elif x == 20:
    pass
elif x == 21:
    pass
elif x == 22:
    pass
elif x == 23:
    pass
elif x == 24:
    pass
elif x == 25:
    pass
elif x == 26:
    pass
elif x == 27:
    pass
elif x == 28:
    pass
elif x == 29:
    pass
elif x == 30:
    pass
elif x == 31:
    pass
elif x == 32:
    pass
elif x == 33:
    pass
elif x == 34:
    pass
elif x == 35:
    pass
elif x == 36:
    pass
elif x == 37:
    pass
elif x == 38:
    pass
elif x == 39:
    pass
elif x == 40:
    pass
elif x == 41:
    pass
elif x == 42:
    pass
elif x == 43:
    pass
elif x == 44:
    pass
elif x == 45:
    pass
elif x == 46:
    pass
elif x == 47:
    pass
elif x == 48:
    pass
elif x == 49:
    pass
elif x == 50:
    pass
elif x == 51:
    pass
elif x == 52:
    pass
elif x == 53:
    pass
elif x == 54:
    pass
elif x == 55:
    pass
elif x == 56:
    pass
elif x == 57:
    pass
elif x == 58:
    pass
elif x == 59:
    pass
elif x == 60:
    pass
elif x == 61:
    pass
elif x == 62:
    pass
elif x == 63:
    pass
elif x == 64:
    pass
elif x == 65:
    pass
elif x == 66:
    pass
elif x == 67:
    pass
elif x == 68:
    pass
elif x == 69:
    pass
elif x == 70:
    pass
elif x == 71:
    pass
elif x == 72:
    pass
elif x == 73:
    pass
elif x == 74:
    pass
elif x == 75:
    pass
elif x == 76:
    pass
elif x == 77:
    pass
elif x == 78:
    pass
elif x == 79:
    pass
elif x == 80:
    pass
elif x == 81:
    pass
elif x == 82:
    pass
elif x == 83:
    pass
elif x == 84:
    pass
elif x == 85:
    pass
elif x == 86:
    pass
elif x == 87:
    pass
elif x == 88:
    pass
elif x == 89:
    pass
elif x == 90:
    pass
elif x == 91:
    pass
elif x == 92:
    pass
elif x == 93:
    pass
elif x == 94:
    pass
elif x == 95:
    pass
elif x == 96:
    pass
elif x == 97:
    pass
elif x == 98:
    pass
elif x == 99:
    pass
elif x == 100:
    pass
elif x == 101:
    pass
elif x == 102:
    pass
elif x == 103:
    pass
elif x == 104:
    pass
elif x == 105:
    pass
elif x == 106:
    pass
elif x == 107:
    pass
elif x == 108:
    pass
elif x == 109:
    pass
elif x == 110:
    pass
elif x == 111:
    pass
elif x == 112:
    pass
elif x == 113:
    pass
elif x == 114:
    pass
elif x == 115:
    pass
elif x == 116:
    pass
elif x == 117:
    pass
elif x == 118:
    pass
elif x == 119:
    pass
elif x == 120:
    pass
elif x == 121:
    pass
elif x == 122:
    pass
elif x == 123:
    pass
elif x == 124:
    pass
elif x == 125:
    pass
elif x == 126:
    pass
elif x == 127:
    pass
elif x == 128:
    pass
elif x == 129:
    pass
elif x == 130:
    pass
elif x == 131:
    pass
elif x == 132:
    pass
elif x == 133:
    pass
elif x == 134:
    pass
elif x == 135:
    pass
elif x == 136:
    pass
elif x == 137:
    pass
elif x == 138:
    pass
elif x == 139:
    pass
elif x == 140:
    pass
elif x == 141:
    pass
elif x == 142:
    pass
elif x == 143:
    pass
elif x == 144:
    pass
elif x == 145:
    pass
elif x == 146:
    pass
elif x == 147:
    pass
elif x == 148:
    pass
elif x == 149:
    pass
elif x == 150:
    pass
elif x == 151:
    pass
elif x == 152:
    pass
elif x == 153:
    pass
elif x == 154:
    pass
elif x == 155:
    pass
elif x == 156:
    pass
elif x == 157:
    pass
elif x == 158:
    pass
elif x == 159:
    pass
elif x == 160:
    pass
elif x == 161:
    pass
elif x == 162:
    pass
elif x == 163:
    pass
elif x == 164:
    pass
elif x == 165:
    pass
elif x == 166:
    pass
elif x == 167:
    pass
elif x == 168:
    pass
elif x == 169:
    pass
elif x == 170:
    pass
elif x == 171:
    pass
elif x == 172:
    pass
elif x == 173:
    pass
elif x == 174:
    pass
elif x == 175:
    pass
elif x == 176:
    pass
elif x == 177:
    pass
elif x == 178:
    pass
elif x == 179:
    pass
elif x == 180:
    pass
elif x == 181:
    pass
elif x == 182:
    pass
elif x == 183:
    pass
elif x == 184:
    pass
elif x == 185:
    pass
elif x == 186:
    pass
elif x == 187:
    pass
elif x == 188:
    pass
elif x == 189:
    pass
elif x == 190:
    pass
elif x == 191:
    pass
elif x == 192:
    pass
elif x == 193:
    pass
elif x == 194:
    pass
elif x == 195:
    pass
elif x == 196:
    pass
elif x == 197:
    pass
elif x == 198:
    pass
elif x == 199:
    pass
elif x == 200:
    pass
elif x == 201:
    pass
elif x == 202:
    pass
elif x == 203:
    pass
elif x == 204:
    pass
elif x == 205:
    pass
elif x == 206:
    pass
elif x == 207:
    pass
elif x == 208:
    pass
elif x == 209:
    pass
elif x == 210:
    pass
elif x == 211:
    pass
elif x == 212:
    pass
elif x == 213:
    pass
elif x == 214:
    pass
elif x == 215:
    pass
elif x == 216:
    pass
elif x == 217:
    pass
elif x == 218:
    pass
elif x == 219:
    pass
elif x == 220:
    pass
elif x == 221:
    pass
elif x == 222:
    pass
elif x == 223:
    pass
elif x == 224:
    pass
elif x == 225:
    pass
elif x == 226:
    pass
elif x == 227:
    pass
elif x == 228:
    pass
elif x == 229:
    pass
elif x == 230:
    pass
elif x == 231:
    pass
elif x == 232:
    pass
elif x == 233:
    pass
elif x == 234:
    pass
elif x == 235:
    pass
elif x == 236:
    pass
elif x == 237:
    pass
elif x == 238:
    pass
elif x == 239:
    pass
elif x == 240:
    pass
elif x == 241:
    pass
elif x == 242:
    pass
elif x == 243:
    pass
elif x == 244:
    pass
elif x == 245:
    pass
elif x == 246:
    pass
elif x == 247:
    pass
elif x == 248:
    pass
elif x == 249:
    pass
elif x == 250:
    pass
elif x == 251:
    pass
elif x == 252:
    pass
elif x == 253:
    pass
elif x == 254:
    pass
elif x == 255:
    pass
elif x == 256:
    pass
elif x == 257:
    pass
elif x == 258:
    pass
elif x == 259:
    pass
elif x == 260:
    pass
elif x == 261:
    pass
elif x == 262:
    pass
elif x == 263:
    pass
elif x == 264:
    pass
elif x == 265:
    pass
elif x == 266:
    pass
elif x == 267:
    pass
elif x == 268:
    pass
elif x == 269:
    pass
elif x == 270:
    pass
elif x == 271:
    pass
elif x == 272:
    pass
elif x == 273:
    pass
elif x == 274:
    pass
elif x == 275:
    pass
elif x == 276:
    pass
elif x == 277:
    pass
elif x == 278:
    pass
elif x == 279:
    pass
elif x == 280:
    pass
elif x == 281:
    pass
elif x == 282:
    pass
elif x == 283:
    pass
elif x == 284:
    pass
elif x == 285:
    pass
elif x == 286:
    pass
elif x == 287:
    pass
elif x == 288:
    pass
elif x == 289:
    pass
elif x == 290:
    pass
elif x == 291:
    pass
elif x == 292:
    pass
elif x == 293:
    pass
elif x == 294:
    pass
elif x == 295:
    pass
elif x == 296:
    pass
elif x == 297:
    pass
elif x == 298:
    pass
elif x == 299:
    pass
elif x == 300:
    pass
elif x == 301:
    pass
elif x == 302:
    pass
elif x == 303:
    pass
elif x == 304:
    pass
elif x == 305:
    pass
elif x == 306:
    pass
elif x == 307:
    pass
elif x == 308:
    pass
elif x == 309:
    pass
elif x == 310:
    pass
elif x == 311:
    pass
elif x == 312:
    pass
elif x == 313:
    pass
elif x == 314:
    pass
elif x == 315:
    pass
elif x == 316:
    pass
elif x == 317:
    pass
elif x == 318:
    pass
elif x == 319:
    pass
elif x == 320:
    pass
elif x == 321:
    pass
elif x == 322:
    pass
elif x == 323:
    pass
elif x == 324:
    pass
elif x == 325:
    pass
elif x == 326:
    pass
elif x == 327:
    pass
elif x == 328:
    pass
elif x == 329:
    pass
elif x == 330:
    pass
elif x == 331:
    pass
elif x == 332:
    pass
elif x == 333:
    pass
elif x == 334:
    pass
elif x == 335:
    pass
elif x == 336:
    pass
elif x == 337:
    pass
elif x == 338:
    pass
elif x == 339:
    pass
elif x == 340:
    pass
elif x == 341:
    pass
elif x == 342:
    pass
elif x == 343:
    pass
elif x == 344:
    pass
elif x == 345:
    pass
elif x == 346:
    pass
elif x == 347:
    pass
elif x == 348:
    pass
elif x == 349:
    pass
elif x == 350:
    pass
elif x == 351:
    pass
elif x == 352:
    pass
elif x == 353:
    pass
elif x == 354:
    pass
elif x == 355:
    pass
elif x == 356:
    pass
elif x == 357:
    pass
elif x == 358:
    pass
elif x == 359:
    pass
elif x == 360:
    pass
elif x == 361:
    pass
elif x == 362:
    pass
elif x == 363:
    pass
elif x == 364:
    pass
elif x == 365:
    pass
elif x == 366:
    pass
elif x == 367:
    pass
elif x == 368:
    pass
elif x == 369:
    pass
elif x == 370:
    pass
elif x == 371:
    pass
elif x == 372:
    pass
elif x == 373:
    pass
elif x == 374:
    pass
elif x == 375:
    pass
elif x == 376:
    pass
elif x == 377:
    pass
elif x == 378:
    pass
elif x == 379:
    pass
elif x == 380:
    pass
elif x == 381:
    pass
elif x == 382:
    pass
elif x == 383:
    pass
elif x == 384:
    pass
elif x == 385:
    pass
elif x == 386:
    pass
elif x == 387:
    pass
elif x == 388:
    pass
elif x == 389:
    pass
elif x == 390:
    pass
elif x == 391:
    pass
elif x == 392:
    pass
elif x == 393:
    pass
elif x == 394:
    pass
elif x == 395:
    pass
elif x == 396:
    pass
elif x == 397:
    pass
elif x == 398:
    pass
elif x == 399:
    pass
elif x == 400:
    pass
elif x == 401:
    pass
elif x == 402:
    pass
elif x == 403:
    pass
elif x == 404:
    pass
elif x == 405:
    pass
elif x == 406:
    pass
elif x == 407:
    pass
elif x == 408:
    pass
elif x == 409:
    pass
elif x == 410:
    pass
elif x == 411:
    pass
elif x == 412:
    pass
elif x == 413:
    pass
elif x == 414:
    pass
elif x == 415:
    pass
elif x == 416:
    pass
elif x == 417:
    pass
elif x == 418:
    pass
elif x == 419:
    pass
elif x == 420:
    pass
elif x == 421:
    pass
elif x == 422:
    pass
elif x == 423:
    pass
elif x == 424:
    pass
elif x == 425:
    pass
elif x == 426:
    pass
elif x == 427:
    pass
elif x == 428:
    pass
elif x == 429:
    pass
elif x == 430:
    pass
elif x == 431:
    pass
elif x == 432:
    pass
elif x == 433:
    pass
elif x == 434:
    pass
elif x == 435:
    pass
elif x == 436:
    pass
elif x == 437:
    pass
elif x == 438:
    pass
elif x == 439:
    pass
elif x == 440:
    pass
elif x == 441:
    pass
elif x == 442:
    pass
elif x == 443:
    pass
elif x == 444:
    pass
elif x == 445:
    pass
elif x == 446:
    pass
elif x == 447:
    pass
elif x == 448:
    pass
elif x == 449:
    pass
elif x == 450:
    pass
elif x == 451:
    pass
elif x == 452:
    pass
elif x == 453:
    pass
elif x == 454:
    pass
elif x == 455:
    pass
elif x == 456:
    pass
elif x == 457:
    pass
elif x == 458:
    pass
elif x == 459:
    pass
elif x == 460:
    pass
elif x == 461:
    pass
elif x == 462:
    pass
elif x == 463:
    pass
elif x == 464:
    pass
elif x == 465:
    pass
elif x == 466:
    pass
elif x == 467:
    pass
elif x == 468:
    pass
elif x == 469:
    pass
elif x == 470:
    pass
elif x == 471:
    pass
elif x == 472:
    pass
elif x == 473:
    pass
elif x == 474:
    pass
elif x == 475:
    pass
elif x == 476:
    pass
elif x == 477:
    pass
elif x == 478:
    pass
elif x == 479:
    pass
elif x == 480:
    pass
elif x == 481:
    pass
elif x == 482:
    pass
elif x == 483:
    pass
elif x == 484:
    pass
elif x == 485:
    pass
elif x == 486:
    pass
elif x == 487:
    pass
elif x == 488:
    pass
elif x == 489:
    pass
elif x == 490:
    pass
elif x == 491:
    pass
elif x == 492:
    pass
elif x == 493:
    pass
elif x == 494:
    pass
elif x == 495:
    pass
elif x == 496:
    pass
elif x == 497:
    pass
elif x == 498:
    pass
elif x == 499:
    pass
elif x == 500:
    pass
elif x == 501:
    pass
elif x == 502:
    pass
elif x == 503:
    pass
elif x == 504:
    pass
elif x == 505:
    pass
elif x == 506:
    pass
elif x == 507:
    pass
elif x == 508:
    pass
elif x == 509:
    pass
elif x == 510:
    pass
elif x == 511:
    pass
elif x == 512:
    pass
elif x == 513:
    pass
elif x == 514:
    pass
elif x == 515:
    pass
elif x == 516:
    pass
elif x == 517:
    pass
elif x == 518:
    pass
elif x == 519:
    pass
elif x == 520:
    pass
elif x == 521:
    pass
elif x == 522:
    pass
elif x == 523:
    pass
elif x == 524:
    pass
elif x == 525:
    pass
elif x == 526:
    pass
elif x == 527:
    pass
elif x == 528:
    pass
elif x == 529:
    pass
elif x == 530:
    pass
elif x == 531:
    pass
elif x == 532:
    pass
elif x == 533:
    pass
elif x == 534:
    pass
elif x == 535:
    pass
elif x == 536:
    pass
elif x == 537:
    pass
elif x == 538:
    pass
elif x == 539:
    pass
elif x == 540:
    pass
elif x == 541:
    pass
elif x == 542:
    pass
elif x == 543:
    pass
elif x == 544:
    pass
elif x == 545:
    pass
elif x == 546:
    pass
elif x == 547:
    pass
elif x == 548:
    pass
elif x == 549:
    pass
elif x == 550:
    pass
elif x == 551:
    pass
elif x == 552:
    pass
elif x == 553:
    pass
elif x == 554:
    pass
elif x == 555:
    pass
elif x == 556:
    pass
elif x == 557:
    pass
elif x == 558:
    pass
elif x == 559:
    pass
elif x == 560:
    pass
elif x == 561:
    pass
elif x == 562:
    pass
elif x == 563:
    pass
elif x == 564:
    pass
elif x == 565:
    pass
elif x == 566:
    pass
elif x == 567:
    pass
elif x == 568:
    pass
elif x == 569:
    pass
elif x == 570:
    pass
elif x == 571:
    pass
elif x == 572:
    pass
elif x == 573:
    pass
elif x == 574:
    pass
elif x == 575:
    pass
elif x == 576:
    pass
elif x == 577:
    pass
elif x == 578:
    pass
elif x == 579:
    pass
elif x == 580:
    pass
elif x == 581:
    pass
elif x == 582:
    pass
elif x == 583:
    pass
elif x == 584:
    pass
elif x == 585:
    pass
elif x == 586:
    pass
elif x == 587:
    pass
elif x == 588:
    pass
elif x == 589:
    pass
elif x == 590:
    pass
elif x == 591:
    pass
elif x == 592:
    pass
elif x == 593:
    pass
elif x == 594:
    pass
elif x == 595:
    pass
elif x == 596:
    pass
elif x == 597:
    pass
elif x == 598:
    pass
elif x == 599:
    pass
elif x == 600:
    pass
elif x == 601:
    pass
elif x == 602:
    pass
elif x == 603:
    pass
elif x == 604:
    pass
elif x == 605:
    pass
elif x == 606:
    pass
elif x == 607:
    pass
elif x == 608:
    pass
elif x == 609:
    pass
elif x == 610:
    pass
elif x == 611:
    pass
elif x == 612:
    pass
elif x == 613:
    pass
elif x == 614:
    pass
elif x == 615:
    pass
elif x == 616:
    pass
elif x == 617:
    pass
elif x == 618:
    pass
elif x == 619:
    pass
elif x == 620:
    pass
elif x == 621:
    pass
elif x == 622:
    pass
elif x == 623:
    pass
elif x == 624:
    pass
elif x == 625:
    pass
elif x == 626:
    pass
elif x == 627:
    pass
elif x == 628:
    pass
elif x == 629:
    pass
elif x == 630:
    pass
elif x == 631:
    pass
elif x == 632:
    pass
elif x == 633:
    pass
elif x == 634:
    pass
elif x == 635:
    pass
elif x == 636:
    pass
elif x == 637:
    pass
elif x == 638:
    pass
elif x == 639:
    pass
elif x == 640:
    pass
elif x == 641:
    pass
elif x == 642:
    pass
elif x == 643:
    pass
elif x == 644:
    pass
elif x == 645:
    pass
elif x == 646:
    pass
elif x == 647:
    pass
elif x == 648:
    pass
elif x == 649:
    pass
elif x == 650:
    pass
elif x == 651:
    pass
elif x == 652:
    pass
elif x == 653:
    pass
elif x == 654:
    pass
elif x == 655:
    pass
elif x == 656:
    pass
elif x == 657:
    pass
elif x == 658:
    pass
elif x == 659:
    pass
elif x == 660:
    pass
elif x == 661:
    pass
elif x == 662:
    pass
elif x == 663:
    pass
elif x == 664:
    pass
elif x == 665:
    pass
elif x == 666:
    pass
elif x == 667:
    pass
elif x == 668:
    pass
elif x == 669:
    pass
elif x == 670:
    pass
elif x == 671:
    pass
elif x == 672:
    pass
elif x == 673:
    pass
elif x == 674:
    pass
elif x == 675:
    pass
elif x == 676:
    pass
elif x == 677:
    pass
elif x == 678:
    pass
elif x == 679:
    pass
elif x == 680:
    pass
elif x == 681:
    pass
elif x == 682:
    pass
elif x == 683:
    pass
elif x == 684:
    pass
elif x == 685:
    pass
elif x == 686:
    pass
elif x == 687:
    pass
elif x == 688:
    pass
elif x == 689:
    pass
elif x == 690:
    pass
elif x == 691:
    pass
elif x == 692:
    pass
elif x == 693:
    pass
elif x == 694:
    pass
elif x == 695:
    pass
elif x == 696:
    pass
elif x == 697:
    pass
elif x == 698:
    pass
elif x == 699:
    pass
elif x == 700:
    pass
elif x == 701:
    pass
elif x == 702:
    pass
elif x == 703:
    pass
elif x == 704:
    pass
elif x == 705:
    pass
elif x == 706:
    pass
elif x == 707:
    pass
elif x == 708:
    pass
elif x == 709:
    pass
elif x == 710:
    pass
elif x == 711:
    pass
elif x == 712:
    pass
elif x == 713:
    pass
elif x == 714:
    pass
elif x == 715:
    pass
elif x == 716:
    pass
elif x == 717:
    pass
elif x == 718:
    pass
elif x == 719:
    pass
elif x == 720:
    pass
elif x == 721:
    pass
elif x == 722:
    pass
elif x == 723:
    pass
elif x == 724:
    pass
elif x == 725:
    pass
elif x == 726:
    pass
elif x == 727:
    pass
elif x == 728:
    pass
elif x == 729:
    pass
elif x == 730:
    pass
elif x == 731:
    pass
elif x == 732:
    pass
elif x == 733:
    pass
elif x == 734:
    pass
elif x == 735:
    pass
elif x == 736:
    pass
elif x == 737:
    pass
elif x == 738:
    pass
elif x == 739:
    pass
elif x == 740:
    pass
elif x == 741:
    pass
elif x == 742:
    pass
elif x == 743:
    pass
elif x == 744:
    pass
elif x == 745:
    pass
elif x == 746:
    pass
elif x == 747:
    pass
elif x == 748:
    pass
elif x == 749:
    pass
elif x == 750:
    pass
elif x == 751:
    pass
elif x == 752:
    pass
elif x == 753:
    pass
elif x == 754:
    pass
elif x == 755:
    pass
elif x == 756:
    pass
elif x == 757:
    pass
elif x == 758:
    pass
elif x == 759:
    pass
elif x == 760:
    pass
elif x == 761:
    pass
elif x == 762:
    pass
elif x == 763:
    pass
elif x == 764:
    pass
elif x == 765:
    pass
elif x == 766:
    pass
elif x == 767:
    pass
elif x == 768:
    pass
elif x == 769:
    pass
elif x == 770:
    pass
elif x == 771:
    pass
elif x == 772:
    pass
elif x == 773:
    pass
elif x == 774:
    pass
elif x == 775:
    pass
elif x == 776:
    pass
elif x == 777:
    pass
elif x == 778:
    pass
elif x == 779:
    pass
elif x == 780:
    pass
elif x == 781:
    pass
elif x == 782:
    pass
elif x == 783:
    pass
elif x == 784:
    pass
elif x == 785:
    pass
elif x == 786:
    pass
elif x == 787:
    pass
elif x == 788:
    pass
elif x == 789:
    pass
elif x == 790:
    pass
elif x == 791:
    pass
elif x == 792:
    pass
elif x == 793:
    pass
elif x == 794:
    pass
elif x == 795:
    pass
elif x == 796:
    pass
elif x == 797:
    pass
elif x == 798:
    pass
elif x == 799:
    pass
elif x == 800:
    pass
elif x == 801:
    pass
elif x == 802:
    pass
elif x == 803:
    pass
elif x == 804:
    pass
elif x == 805:
    pass
elif x == 806:
    pass
elif x == 807:
    pass
elif x == 808:
    pass
elif x == 809:
    pass
elif x == 810:
    pass
elif x == 811:
    pass
elif x == 812:
    pass
elif x == 813:
    pass
elif x == 814:
    pass
elif x == 815:
    pass
elif x == 816:
    pass
elif x == 817:
    pass
elif x == 818:
    pass
elif x == 819:
    pass
elif x == 820:
    pass
elif x == 821:
    pass
elif x == 822:
    pass
elif x == 823:
    pass
elif x == 824:
    pass
elif x == 825:
    pass
elif x == 826:
    pass
elif x == 827:
    pass
elif x == 828:
    pass
elif x == 829:
    pass
elif x == 830:
    pass
elif x == 831:
    pass
elif x == 832:
    pass
elif x == 833:
    pass
elif x == 834:
    pass
elif x == 835:
    pass
elif x == 836:
    pass
elif x == 837:
    pass
elif x == 838:
    pass
elif x == 839:
    pass
elif x == 840:
    pass
elif x == 841:
    pass
elif x == 842:
    pass
elif x == 843:
    pass
elif x == 844:
    pass
elif x == 845:
    pass
elif x == 846:
    pass
elif x == 847:
    pass
elif x == 848:
    pass
elif x == 849:
    pass
elif x == 850:
    pass
elif x == 851:
    pass
elif x == 852:
    pass
elif x == 853:
    pass
elif x == 854:
    pass
elif x == 855:
    pass
elif x == 856:
    pass
elif x == 857:
    pass
elif x == 858:
    pass
elif x == 859:
    pass
elif x == 860:
    pass
elif x == 861:
    pass
elif x == 862:
    pass
elif x == 863:
    pass
elif x == 864:
    pass
elif x == 865:
    pass
elif x == 866:
    pass
elif x == 867:
    pass
elif x == 868:
    pass
elif x == 869:
    pass
elif x == 870:
    pass
elif x == 871:
    pass
elif x == 872:
    pass
elif x == 873:
    pass
elif x == 874:
    pass
elif x == 875:
    pass
elif x == 876:
    pass
elif x == 877:
    pass
elif x == 878:
    pass
elif x == 879:
    pass
elif x == 880:
    pass
elif x == 881:
    pass
elif x == 882:
    pass
elif x == 883:
    pass
elif x == 884:
    pass
elif x == 885:
    pass
elif x == 886:
    pass
elif x == 887:
    pass
elif x == 888:
    pass
elif x == 889:
    pass
elif x == 890:
    pass
elif x == 891:
    pass
elif x == 892:
    pass
elif x == 893:
    pass
elif x == 894:
    pass
elif x == 895:
    pass
elif x == 896:
    pass
elif x == 897:
    pass
elif x == 898:
    pass
elif x == 899:
    pass
elif x == 900:
    pass
elif x == 901:
    pass
elif x == 902:
    pass
elif x == 903:
    pass
elif x == 904:
    pass
elif x == 905:
    pass
elif x == 906:
    pass
elif x == 907:
    pass
elif x == 908:
    pass
elif x == 909:
    pass
elif x == 910:
    pass
elif x == 911:
    pass
elif x == 912:
    pass
elif x == 913:
    pass
elif x == 914:
    pass
elif x == 915:
    pass
elif x == 916:
    pass
elif x == 917:
    pass
elif x == 918:
    pass
elif x == 919:
    pass
elif x == 920:
    pass
elif x == 921:
    pass
elif x == 922:
    pass
elif x == 923:
    pass
elif x == 924:
    pass
elif x == 925:
    pass
elif x == 926:
    pass
elif x == 927:
    pass
elif x == 928:
    pass
elif x == 929:
    pass
elif x == 930:
    pass
elif x == 931:
    pass
elif x == 932:
    pass
elif x == 933:
    pass
elif x == 934:
    pass
elif x == 935:
    pass
elif x == 936:
    pass
elif x == 937:
    pass
elif x == 938:
    pass
elif x == 939:
    pass
elif x == 940:
    pass
elif x == 941:
    pass
elif x == 942:
    pass
elif x == 943:
    pass
elif x == 944:
    pass
elif x == 945:
    pass
elif x == 946:
    pass
elif x == 947:
    pass
elif x == 948:
    pass
elif x == 949:
    pass
elif x == 950:
    pass
elif x == 951:
    pass
elif x == 952:
    pass
elif x == 953:
    pass
elif x == 954:
    pass
elif x == 955:
    pass
elif x == 956:
    pass
elif x == 957:
    pass
elif x == 958:
    pass
elif x == 959:
    pass
elif x == 960:
    pass
elif x == 961:
    pass
elif x == 962:
    pass
elif x == 963:
    pass
elif x == 964:
    pass
elif x == 965:
    pass
elif x == 966:
    pass
elif x == 967:
    pass
elif x == 968:
    pass
elif x == 969:
    pass
elif x == 970:
    pass
elif x == 971:
    pass
elif x == 972:
    pass
elif x == 973:
    pass
elif x == 974:
    pass
elif x == 975:
    pass
elif x == 976:
    pass
elif x == 977:
    pass
elif x == 978:
    pass
elif x == 979:
    pass
elif x == 980:
    pass
elif x == 981:
    pass
elif x == 982:
    pass
elif x == 983:
    pass
elif x == 984:
    pass
elif x == 985:
    pass
elif x == 986:
    pass
elif x == 987:
    pass
elif x == 988:
    pass
elif x == 989:
    pass
elif x == 990:
    pass
elif x == 991:
    pass
elif x == 992:
    pass
elif x == 993:
    pass
elif x == 994:
    pass
elif x == 995:
    pass
elif x == 996:
    pass
elif x == 997:
    pass
elif x == 998:
    pass
elif x == 999:
    pass
elif x == 1000:
    pass
elif x == 1001:
    pass
elif x == 1002:
    pass
elif x == 1003:
    pass
elif x == 1004:
    pass
elif x == 1005:
    pass
elif x == 1006:
    pass
elif x == 1007:
    pass
elif x == 1008:
    pass
elif x == 1009:
    pass
elif x == 1010:
    pass
elif x == 1011:
    pass
elif x == 1012:
    pass
elif x == 1013:
    pass
elif x == 1014:
    pass
elif x == 1015:
    pass
elif x == 1016:
    pass
elif x == 1017:
    pass
elif x == 1018:
    pass
elif x == 1019:
    pass
elif x == 1020:
    pass
elif x == 1021:
    pass
elif x == 1022:
    pass
elif x == 1023:
    pass
elif x == 1024:
    pass
elif x == 1025:
    pass
elif x == 1026:
    pass
elif x == 1027:
    pass
elif x == 1028:
    pass
elif x == 1029:
    pass
elif x == 1030:
    pass
elif x == 1031:
    pass
elif x == 1032:
    pass
elif x == 1033:
    pass
elif x == 1034:
    pass
elif x == 1035:
    pass
elif x == 1036:
    pass
elif x == 1037:
    pass
elif x == 1038:
    pass
elif x == 1039:
    pass
elif x == 1040:
    pass
elif x == 1041:
    pass
elif x == 1042:
    pass
elif x == 1043:
    pass
elif x == 1044:
    pass
elif x == 1045:
    pass
elif x == 1046:
    pass
elif x == 1047:
    pass
elif x == 1048:
    pass
elif x == 1049:
    pass
elif x == 1050:
    pass
elif x == 1051:
    pass
elif x == 1052:
    pass
elif x == 1053:
    pass
elif x == 1054:
    pass
elif x == 1055:
    pass
elif x == 1056:
    pass
elif x == 1057:
    pass
elif x == 1058:
    pass
elif x == 1059:
    pass
elif x == 1060:
    pass
elif x == 1061:
    pass
elif x == 1062:
    pass
elif x == 1063:
    pass
elif x == 1064:
    pass
elif x == 1065:
    pass
elif x == 1066:
    pass
elif x == 1067:
    pass
elif x == 1068:
    pass
elif x == 1069:
    pass
elif x == 1070:
    pass
elif x == 1071:
    pass
elif x == 1072:
    pass
elif x == 1073:
    pass
elif x == 1074:
    pass
elif x == 1075:
    pass
elif x == 1076:
    pass
elif x == 1077:
    pass
elif x == 1078:
    pass
elif x == 1079:
    pass
elif x == 1080:
    pass
elif x == 1081:
    pass
elif x == 1082:
    pass
elif x == 1083:
    pass
elif x == 1084:
    pass
elif x == 1085:
    pass
elif x == 1086:
    pass
elif x == 1087:
    pass
elif x == 1088:
    pass
elif x == 1089:
    pass
elif x == 1090:
    pass
elif x == 1091:
    pass
elif x == 1092:
    pass
elif x == 1093:
    pass
elif x == 1094:
    pass
elif x == 1095:
    pass
elif x == 1096:
    pass
elif x == 1097:
    pass
elif x == 1098:
    pass
elif x == 1099:
    pass
elif x == 1100:
    pass
elif x == 1101:
    pass
elif x == 1102:
    pass
elif x == 1103:
    pass
elif x == 1104:
    pass
elif x == 1105:
    pass
elif x == 1106:
    pass
elif x == 1107:
    pass
elif x == 1108:
    pass
elif x == 1109:
    pass
elif x == 1110:
    pass
elif x == 1111:
    pass
elif x == 1112:
    pass
elif x == 1113:
    pass
elif x == 1114:
    pass
elif x == 1115:
    pass
elif x == 1116:
    pass
elif x == 1117:
    pass
elif x == 1118:
    pass
elif x == 1119:
    pass
elif x == 1120:
    pass
elif x == 1121:
    pass
elif x == 1122:
    pass
elif x == 1123:
    pass
elif x == 1124:
    pass
elif x == 1125:
    pass
elif x == 1126:
    pass
elif x == 1127:
    pass
elif x == 1128:
    pass
elif x == 1129:
    pass
elif x == 1130:
    pass
elif x == 1131:
    pass
elif x == 1132:
    pass
elif x == 1133:
    pass
elif x == 1134:
    pass
elif x == 1135:
    pass
elif x == 1136:
    pass
elif x == 1137:
    pass
elif x == 1138:
    pass
elif x == 1139:
    pass
elif x == 1140:
    pass
elif x == 1141:
    pass
elif x == 1142:
    pass
elif x == 1143:
    pass
elif x == 1144:
    pass
elif x == 1145:
    pass
elif x == 1146:
    pass
elif x == 1147:
    pass
elif x == 1148:
    pass
elif x == 1149:
    pass
elif x == 1150:
    pass
elif x == 1151:
    pass
elif x == 1152:
    pass
elif x == 1153:
    pass
elif x == 1154:
    pass
elif x == 1155:
    pass
elif x == 1156:
    pass
elif x == 1157:
    pass
elif x == 1158:
    pass
elif x == 1159:
    pass
elif x == 1160:
    pass
elif x == 1161:
    pass
elif x == 1162:
    pass
elif x == 1163:
    pass
elif x == 1164:
    pass
elif x == 1165:
    pass
elif x == 1166:
    pass
elif x == 1167:
    pass
elif x == 1168:
    pass
elif x == 1169:
    pass
elif x == 1170:
    pass
elif x == 1171:
    pass
elif x == 1172:
    pass
elif x == 1173:
    pass
elif x == 1174:
    pass
elif x == 1175:
    pass
elif x == 1176:
    pass
elif x == 1177:
    pass
elif x == 1178:
    pass
elif x == 1179:
    pass
elif x == 1180:
    pass
elif x == 1181:
    pass
elif x == 1182:
    pass
elif x == 1183:
    pass
elif x == 1184:
    pass
elif x == 1185:
    pass
elif x == 1186:
    pass
elif x == 1187:
    pass
elif x == 1188:
    pass
elif x == 1189:
    pass
elif x == 1190:
    pass
elif x == 1191:
    pass
elif x == 1192:
    pass
elif x == 1193:
    pass
elif x == 1194:
    pass
elif x == 1195:
    pass
elif x == 1196:
    pass
elif x == 1197:
    pass
elif x == 1198:
    pass
elif x == 1199:
    pass
elif x == 1200:
    pass
elif x == 1201:
    pass
elif x == 1202:
    pass
elif x == 1203:
    pass
elif x == 1204:
    pass
elif x == 1205:
    pass
elif x == 1206:
    pass
elif x == 1207:
    pass
elif x == 1208:
    pass
elif x == 1209:
    pass
elif x == 1210:
    pass
elif x == 1211:
    pass
elif x == 1212:
    pass
elif x == 1213:
    pass
elif x == 1214:
    pass
elif x == 1215:
    pass
elif x == 1216:
    pass
elif x == 1217:
    pass
elif x == 1218:
    pass
elif x == 1219:
    pass
elif x == 1220:
    pass
elif x == 1221:
    pass
elif x == 1222:
    pass
elif x == 1223:
    pass
elif x == 1224:
    pass
elif x == 1225:
    pass
elif x == 1226:
    pass
elif x == 1227:
    pass
elif x == 1228:
    pass
elif x == 1229:
    pass
elif x == 1230:
    pass
elif x == 1231:
    pass
elif x == 1232:
    pass
elif x == 1233:
    pass
elif x == 1234:
    pass
elif x == 1235:
    pass
elif x == 1236:
    pass
elif x == 1237:
    pass
elif x == 1238:
    pass
elif x == 1239:
    pass
elif x == 1240:
    pass
elif x == 1241:
    pass
elif x == 1242:
    pass
elif x == 1243:
    pass
elif x == 1244:
    pass
elif x == 1245:
    pass
elif x == 1246:
    pass
elif x == 1247:
    pass
elif x == 1248:
    pass
elif x == 1249:
    pass
elif x == 1250:
    pass
elif x == 1251:
    pass
elif x == 1252:
    pass
elif x == 1253:
    pass
elif x == 1254:
    pass
elif x == 1255:
    pass
elif x == 1256:
    pass
elif x == 1257:
    pass
elif x == 1258:
    pass
elif x == 1259:
    pass
elif x == 1260:
    pass
elif x == 1261:
    pass
elif x == 1262:
    pass
elif x == 1263:
    pass
elif x == 1264:
    pass
elif x == 1265:
    pass
elif x == 1266:
    pass
elif x == 1267:
    pass
elif x == 1268:
    pass
elif x == 1269:
    pass
elif x == 1270:
    pass
elif x == 1271:
    pass
elif x == 1272:
    pass
elif x == 1273:
    pass
elif x == 1274:
    pass
elif x == 1275:
    pass
elif x == 1276:
    pass
elif x == 1277:
    pass
elif x == 1278:
    pass
elif x == 1279:
    pass
elif x == 1280:
    pass
elif x == 1281:
    pass
elif x == 1282:
    pass
elif x == 1283:
    pass
elif x == 1284:
    pass
elif x == 1285:
    pass
elif x == 1286:
    pass
elif x == 1287:
    pass
elif x == 1288:
    pass
elif x == 1289:
    pass
elif x == 1290:
    pass
elif x == 1291:
    pass
elif x == 1292:
    pass
elif x == 1293:
    pass
elif x == 1294:
    pass
elif x == 1295:
    pass
elif x == 1296:
    pass
elif x == 1297:
    pass
elif x == 1298:
    pass
elif x == 1299:
    pass
elif x == 1300:
    pass
elif x == 1301:
    pass
elif x == 1302:
    pass
elif x == 1303:
    pass
elif x == 1304:
    pass
elif x == 1305:
    pass
elif x == 1306:
    pass
elif x == 1307:
    pass
elif x == 1308:
    pass
elif x == 1309:
    pass
elif x == 1310:
    pass
elif x == 1311:
    pass
elif x == 1312:
    pass
elif x == 1313:
    pass
elif x == 1314:
    pass
elif x == 1315:
    pass
elif x == 1316:
    pass
elif x == 1317:
    pass
elif x == 1318:
    pass
elif x == 1319:
    pass
elif x == 1320:
    pass
elif x == 1321:
    pass
elif x == 1322:
    pass
elif x == 1323:
    pass
elif x == 1324:
    pass
elif x == 1325:
    pass
elif x == 1326:
    pass
elif x == 1327:
    pass
elif x == 1328:
    pass
elif x == 1329:
    pass
elif x == 1330:
    pass
elif x == 1331:
    pass
elif x == 1332:
    pass
elif x == 1333:
    pass
elif x == 1334:
    pass
elif x == 1335:
    pass
elif x == 1336:
    pass
elif x == 1337:
    pass
elif x == 1338:
    pass
elif x == 1339:
    pass
elif x == 1340:
    pass
elif x == 1341:
    pass
elif x == 1342:
    pass
elif x == 1343:
    pass
elif x == 1344:
    pass
elif x == 1345:
    pass
elif x == 1346:
    pass
elif x == 1347:
    pass
elif x == 1348:
    pass
elif x == 1349:
    pass
elif x == 1350:
    pass
elif x == 1351:
    pass
elif x == 1352:
    pass
elif x == 1353:
    pass
elif x == 1354:
    pass
elif x == 1355:
    pass
elif x == 1356:
    pass
elif x == 1357:
    pass
elif x == 1358:
    pass
elif x == 1359:
    pass
elif x == 1360:
    pass
elif x == 1361:
    pass
elif x == 1362:
    pass
elif x == 1363:
    pass
elif x == 1364:
    pass
elif x == 1365:
    pass
elif x == 1366:
    pass
elif x == 1367:
    pass
elif x == 1368:
    pass
elif x == 1369:
    pass
elif x == 1370:
    pass
elif x == 1371:
    pass
elif x == 1372:
    pass
elif x == 1373:
    pass
elif x == 1374:
    pass
elif x == 1375:
    pass
elif x == 1376:
    pass
elif x == 1377:
    pass
elif x == 1378:
    pass
elif x == 1379:
    pass
elif x == 1380:
    pass
elif x == 1381:
    pass
elif x == 1382:
    pass
elif x == 1383:
    pass
elif x == 1384:
    pass
elif x == 1385:
    pass
elif x == 1386:
    pass
elif x == 1387:
    pass
elif x == 1388:
    pass
elif x == 1389:
    pass
elif x == 1390:
    pass
elif x == 1391:
    pass
elif x == 1392:
    pass
elif x == 1393:
    pass
elif x == 1394:
    pass
elif x == 1395:
    pass
elif x == 1396:
    pass
elif x == 1397:
    pass
elif x == 1398:
    pass
elif x == 1399:
    pass
elif x == 1400:
    pass
elif x == 1401:
    pass
elif x == 1402:
    pass
elif x == 1403:
    pass
elif x == 1404:
    pass
elif x == 1405:
    pass
elif x == 1406:
    pass
elif x == 1407:
    pass
elif x == 1408:
    pass
elif x == 1409:
    pass
elif x == 1410:
    pass
elif x == 1411:
    pass
elif x == 1412:
    pass
elif x == 1413:
    pass
elif x == 1414:
    pass
elif x == 1415:
    pass
elif x == 1416:
    pass
elif x == 1417:
    pass
elif x == 1418:
    pass
elif x == 1419:
    pass
elif x == 1420:
    pass
elif x == 1421:
    pass
elif x == 1422:
    pass
elif x == 1423:
    pass
elif x == 1424:
    pass
elif x == 1425:
    pass
elif x == 1426:
    pass
elif x == 1427:
    pass
elif x == 1428:
    pass
elif x == 1429:
    pass
elif x == 1430:
    pass
elif x == 1431:
    pass
elif x == 1432:
    pass
elif x == 1433:
    pass
elif x == 1434:
    pass
elif x == 1435:
    pass
elif x == 1436:
    pass
elif x == 1437:
    pass
elif x == 1438:
    pass
elif x == 1439:
    pass
elif x == 1440:
    pass
elif x == 1441:
    pass
elif x == 1442:
    pass
elif x == 1443:
    pass
elif x == 1444:
    pass
elif x == 1445:
    pass
elif x == 1446:
    pass
elif x == 1447:
    pass
elif x == 1448:
    pass
elif x == 1449:
    pass
elif x == 1450:
    pass
elif x == 1451:
    pass
elif x == 1452:
    pass
elif x == 1453:
    pass
elif x == 1454:
    pass
elif x == 1455:
    pass
elif x == 1456:
    pass
elif x == 1457:
    pass
elif x == 1458:
    pass
elif x == 1459:
    pass
elif x == 1460:
    pass
elif x == 1461:
    pass
elif x == 1462:
    pass
elif x == 1463:
    pass
elif x == 1464:
    pass
elif x == 1465:
    pass
elif x == 1466:
    pass
elif x == 1467:
    pass
elif x == 1468:
    pass
elif x == 1469:
    pass
elif x == 1470:
    pass
elif x == 1471:
    pass
elif x == 1472:
    pass
elif x == 1473:
    pass
elif x == 1474:
    pass
elif x == 1475:
    pass
elif x == 1476:
    pass
elif x == 1477:
    pass
elif x == 1478:
    pass
elif x == 1479:
    pass
elif x == 1480:
    pass
elif x == 1481:
    pass
elif x == 1482:
    pass
elif x == 1483:
    pass
elif x == 1484:
    pass
elif x == 1485:
    pass
elif x == 1486:
    pass
elif x == 1487:
    pass
elif x == 1488:
    pass
elif x == 1489:
    pass
elif x == 1490:
    pass
elif x == 1491:
    pass
elif x == 1492:
    pass
elif x == 1493:
    pass
elif x == 1494:
    pass
elif x == 1495:
    pass
elif x == 1496:
    pass
elif x == 1497:
    pass
elif x == 1498:
    pass
elif x == 1499:
    pass
elif x == 1500:
    pass
elif x == 1501:
    pass
elif x == 1502:
    pass
elif x == 1503:
    pass
elif x == 1504:
    pass
elif x == 1505:
    pass
elif x == 1506:
    pass
elif x == 1507:
    pass
elif x == 1508:
    pass
elif x == 1509:
    pass
elif x == 1510:
    pass
elif x == 1511:
    pass
elif x == 1512:
    pass
elif x == 1513:
    pass
elif x == 1514:
    pass
elif x == 1515:
    pass
elif x == 1516:
    pass
elif x == 1517:
    pass
elif x == 1518:
    pass
elif x == 1519:
    pass
elif x == 1520:
    pass
elif x == 1521:
    pass
elif x == 1522:
    pass
elif x == 1523:
    pass
elif x == 1524:
    pass
elif x == 1525:
    pass
elif x == 1526:
    pass
elif x == 1527:
    pass
elif x == 1528:
    pass
elif x == 1529:
    pass
elif x == 1530:
    pass
elif x == 1531:
    pass
elif x == 1532:
    pass
elif x == 1533:
    pass
elif x == 1534:
    pass
elif x == 1535:
    pass
elif x == 1536:
    pass
elif x == 1537:
    pass
elif x == 1538:
    pass
elif x == 1539:
    pass
elif x == 1540:
    pass
elif x == 1541:
    pass
elif x == 1542:
    pass
elif x == 1543:
    pass
elif x == 1544:
    pass
elif x == 1545:
    pass
elif x == 1546:
    pass
elif x == 1547:
    pass
elif x == 1548:
    pass
elif x == 1549:
    pass
elif x == 1550:
    pass
elif x == 1551:
    pass
elif x == 1552:
    pass
elif x == 1553:
    pass
elif x == 1554:
    pass
elif x == 1555:
    pass
elif x == 1556:
    pass
elif x == 1557:
    pass
elif x == 1558:
    pass
elif x == 1559:
    pass
elif x == 1560:
    pass
elif x == 1561:
    pass
elif x == 1562:
    pass
elif x == 1563:
    pass
elif x == 1564:
    pass
elif x == 1565:
    pass
elif x == 1566:
    pass
elif x == 1567:
    pass
elif x == 1568:
    pass
elif x == 1569:
    pass
elif x == 1570:
    pass
elif x == 1571:
    pass
elif x == 1572:
    pass
elif x == 1573:
    pass
elif x == 1574:
    pass
elif x == 1575:
    pass
elif x == 1576:
    pass
elif x == 1577:
    pass
elif x == 1578:
    pass
elif x == 1579:
    pass
elif x == 1580:
    pass
elif x == 1581:
    pass
elif x == 1582:
    pass
elif x == 1583:
    pass
elif x == 1584:
    pass
elif x == 1585:
    pass
elif x == 1586:
    pass
elif x == 1587:
    pass
elif x == 1588:
    pass
elif x == 1589:
    pass
elif x == 1590:
    pass
elif x == 1591:
    pass
elif x == 1592:
    pass
elif x == 1593:
    pass
elif x == 1594:
    pass
elif x == 1595:
    pass
elif x == 1596:
    pass
elif x == 1597:
    pass
elif x == 1598:
    pass
elif x == 1599:
    pass
elif x == 1600:
    pass
elif x == 1601:
    pass
elif x == 1602:
    pass
elif x == 1603:
    pass
elif x == 1604:
    pass
elif x == 1605:
    pass
elif x == 1606:
    pass
elif x == 1607:
    pass
elif x == 1608:
    pass
elif x == 1609:
    pass
elif x == 1610:
    pass
elif x == 1611:
    pass
elif x == 1612:
    pass
elif x == 1613:
    pass
elif x == 1614:
    pass
elif x == 1615:
    pass
elif x == 1616:
    pass
elif x == 1617:
    pass
elif x == 1618:
    pass
elif x == 1619:
    pass
elif x == 1620:
    pass
elif x == 1621:
    pass
elif x == 1622:
    pass
elif x == 1623:
    pass
elif x == 1624:
    pass
elif x == 1625:
    pass
elif x == 1626:
    pass
elif x == 1627:
    pass
elif x == 1628:
    pass
elif x == 1629:
    pass
elif x == 1630:
    pass
elif x == 1631:
    pass
elif x == 1632:
    pass
elif x == 1633:
    pass
elif x == 1634:
    pass
elif x == 1635:
    pass
elif x == 1636:
    pass
elif x == 1637:
    pass
elif x == 1638:
    pass
elif x == 1639:
    pass
elif x == 1640:
    pass
elif x == 1641:
    pass
elif x == 1642:
    pass
elif x == 1643:
    pass
elif x == 1644:
    pass
elif x == 1645:
    pass
elif x == 1646:
    pass
elif x == 1647:
    pass
elif x == 1648:
    pass
elif x == 1649:
    pass
elif x == 1650:
    pass
elif x == 1651:
    pass
elif x == 1652:
    pass
elif x == 1653:
    pass
elif x == 1654:
    pass
elif x == 1655:
    pass
elif x == 1656:
    pass
elif x == 1657:
    pass
elif x == 1658:
    pass
elif x == 1659:
    pass
elif x == 1660:
    pass
elif x == 1661:
    pass
elif x == 1662:
    pass
elif x == 1663:
    pass
elif x == 1664:
    pass
elif x == 1665:
    pass
elif x == 1666:
    pass
elif x == 1667:
    pass
elif x == 1668:
    pass
elif x == 1669:
    pass
elif x == 1670:
    pass
elif x == 1671:
    pass
elif x == 1672:
    pass
elif x == 1673:
    pass
elif x == 1674:
    pass
elif x == 1675:
    pass
elif x == 1676:
    pass
elif x == 1677:
    pass
elif x == 1678:
    pass
elif x == 1679:
    pass
elif x == 1680:
    pass
elif x == 1681:
    pass
elif x == 1682:
    pass
elif x == 1683:
    pass
elif x == 1684:
    pass
elif x == 1685:
    pass
elif x == 1686:
    pass
elif x == 1687:
    pass
elif x == 1688:
    pass
elif x == 1689:
    pass
elif x == 1690:
    pass
elif x == 1691:
    pass
elif x == 1692:
    pass
elif x == 1693:
    pass
elif x == 1694:
    pass
elif x == 1695:
    pass
elif x == 1696:
    pass
elif x == 1697:
    pass
elif x == 1698:
    pass
elif x == 1699:
    pass
elif x == 1700:
    pass
elif x == 1701:
    pass
elif x == 1702:
    pass
elif x == 1703:
    pass
elif x == 1704:
    pass
elif x == 1705:
    pass
elif x == 1706:
    pass
elif x == 1707:
    pass
elif x == 1708:
    pass
elif x == 1709:
    pass
elif x == 1710:
    pass
elif x == 1711:
    pass
elif x == 1712:
    pass
elif x == 1713:
    pass
elif x == 1714:
    pass
elif x == 1715:
    pass
elif x == 1716:
    pass
elif x == 1717:
    pass
elif x == 1718:
    pass
elif x == 1719:
    pass
elif x == 1720:
    pass
elif x == 1721:
    pass
elif x == 1722:
    pass
elif x == 1723:
    pass
elif x == 1724:
    pass
elif x == 1725:
    pass
elif x == 1726:
    pass
elif x == 1727:
    pass
elif x == 1728:
    pass
elif x == 1729:
    pass
elif x == 1730:
    pass
elif x == 1731:
    pass
elif x == 1732:
    pass
elif x == 1733:
    pass
elif x == 1734:
    pass
elif x == 1735:
    pass
elif x == 1736:
    pass
elif x == 1737:
    pass
elif x == 1738:
    pass
elif x == 1739:
    pass
elif x == 1740:
    pass
elif x == 1741:
    pass
elif x == 1742:
    pass
elif x == 1743:
    pass
elif x == 1744:
    pass
elif x == 1745:
    pass
elif x == 1746:
    pass
elif x == 1747:
    pass
elif x == 1748:
    pass
elif x == 1749:
    pass
elif x == 1750:
    pass
elif x == 1751:
    pass
elif x == 1752:
    pass
elif x == 1753:
    pass
elif x == 1754:
    pass
elif x == 1755:
    pass
elif x == 1756:
    pass
elif x == 1757:
    pass
elif x == 1758:
    pass
elif x == 1759:
    pass
elif x == 1760:
    pass
elif x == 1761:
    pass
elif x == 1762:
    pass
elif x == 1763:
    pass
elif x == 1764:
    pass
elif x == 1765:
    pass
elif x == 1766:
    pass
elif x == 1767:
    pass
elif x == 1768:
    pass
elif x == 1769:
    pass
elif x == 1770:
    pass
elif x == 1771:
    pass
elif x == 1772:
    pass
elif x == 1773:
    pass
elif x == 1774:
    pass
elif x == 1775:
    pass
elif x == 1776:
    pass
elif x == 1777:
    pass
elif x == 1778:
    pass
elif x == 1779:
    pass
elif x == 1780:
    pass
elif x == 1781:
    pass
elif x == 1782:
    pass
elif x == 1783:
    pass
elif x == 1784:
    pass
elif x == 1785:
    pass
elif x == 1786:
    pass
elif x == 1787:
    pass
elif x == 1788:
    pass
elif x == 1789:
    pass
elif x == 1790:
    pass
elif x == 1791:
    pass
elif x == 1792:
    pass
elif x == 1793:
    pass
elif x == 1794:
    pass
elif x == 1795:
    pass
elif x == 1796:
    pass
elif x == 1797:
    pass
elif x == 1798:
    pass
elif x == 1799:
    pass
elif x == 1800:
    pass
elif x == 1801:
    pass
elif x == 1802:
    pass
elif x == 1803:
    pass
elif x == 1804:
    pass
elif x == 1805:
    pass
elif x == 1806:
    pass
elif x == 1807:
    pass
elif x == 1808:
    pass
elif x == 1809:
    pass
elif x == 1810:
    pass
elif x == 1811:
    pass
elif x == 1812:
    pass
elif x == 1813:
    pass
elif x == 1814:
    pass
elif x == 1815:
    pass
elif x == 1816:
    pass
elif x == 1817:
    pass
elif x == 1818:
    pass
elif x == 1819:
    pass
elif x == 1820:
    pass
elif x == 1821:
    pass
elif x == 1822:
    pass
elif x == 1823:
    pass
elif x == 1824:
    pass
elif x == 1825:
    pass
elif x == 1826:
    pass
elif x == 1827:
    pass
elif x == 1828:
    pass
elif x == 1829:
    pass
elif x == 1830:
    pass
elif x == 1831:
    pass
elif x == 1832:
    pass
elif x == 1833:
    pass
elif x == 1834:
    pass
elif x == 1835:
    pass
elif x == 1836:
    pass
elif x == 1837:
    pass
elif x == 1838:
    pass
elif x == 1839:
    pass
elif x == 1840:
    pass
elif x == 1841:
    pass
elif x == 1842:
    pass
elif x == 1843:
    pass
elif x == 1844:
    pass
elif x == 1845:
    pass
elif x == 1846:
    pass
elif x == 1847:
    pass
elif x == 1848:
    pass
elif x == 1849:
    pass
elif x == 1850:
    pass
elif x == 1851:
    pass
elif x == 1852:
    pass
elif x == 1853:
    pass
elif x == 1854:
    pass
elif x == 1855:
    pass
elif x == 1856:
    pass
elif x == 1857:
    pass
elif x == 1858:
    pass
elif x == 1859:
    pass
elif x == 1860:
    pass
elif x == 1861:
    pass
elif x == 1862:
    pass
elif x == 1863:
    pass
elif x == 1864:
    pass
elif x == 1865:
    pass
elif x == 1866:
    pass
elif x == 1867:
    pass
elif x == 1868:
    pass
elif x == 1869:
    pass
elif x == 1870:
    pass
elif x == 1871:
    pass
elif x == 1872:
    pass
elif x == 1873:
    pass
elif x == 1874:
    pass
elif x == 1875:
    pass
elif x == 1876:
    pass
elif x == 1877:
    pass
elif x == 1878:
    pass
elif x == 1879:
    pass
elif x == 1880:
    pass
elif x == 1881:
    pass
elif x == 1882:
    pass
elif x == 1883:
    pass
elif x == 1884:
    pass
elif x == 1885:
    pass
elif x == 1886:
    pass
elif x == 1887:
    pass
elif x == 1888:
    pass
elif x == 1889:
    pass
elif x == 1890:
    pass
elif x == 1891:
    pass
elif x == 1892:
    pass
elif x == 1893:
    pass
elif x == 1894:
    pass
elif x == 1895:
    pass
elif x == 1896:
    pass
elif x == 1897:
    pass
elif x == 1898:
    pass
elif x == 1899:
    pass
elif x == 1900:
    pass
elif x == 1901:
    pass
elif x == 1902:
    pass
elif x == 1903:
    pass
elif x == 1904:
    pass
elif x == 1905:
    pass
elif x == 1906:
    pass
elif x == 1907:
    pass
elif x == 1908:
    pass
elif x == 1909:
    pass
elif x == 1910:
    pass
elif x == 1911:
    pass
elif x == 1912:
    pass
elif x == 1913:
    pass
elif x == 1914:
    pass
elif x == 1915:
    pass
elif x == 1916:
    pass
elif x == 1917:
    pass
elif x == 1918:
    pass
elif x == 1919:
    pass
elif x == 1920:
    pass
elif x == 1921:
    pass
elif x == 1922:
    pass
elif x == 1923:
    pass
elif x == 1924:
    pass
elif x == 1925:
    pass
elif x == 1926:
    pass
elif x == 1927:
    pass
elif x == 1928:
    pass
elif x == 1929:
    pass
elif x == 1930:
    pass
elif x == 1931:
    pass
elif x == 1932:
    pass
elif x == 1933:
    pass
elif x == 1934:
    pass
elif x == 1935:
    pass
elif x == 1936:
    pass
elif x == 1937:
    pass
elif x == 1938:
    pass
elif x == 1939:
    pass
elif x == 1940:
    pass
elif x == 1941:
    pass
elif x == 1942:
    pass
elif x == 1943:
    pass
elif x == 1944:
    pass
elif x == 1945:
    pass
elif x == 1946:
    pass
elif x == 1947:
    pass
elif x == 1948:
    pass
elif x == 1949:
    pass
elif x == 1950:
    pass
elif x == 1951:
    pass
elif x == 1952:
    pass
elif x == 1953:
    pass
elif x == 1954:
    pass
elif x == 1955:
    pass
elif x == 1956:
    pass
elif x == 1957:
    pass
elif x == 1958:
    pass
elif x == 1959:
    pass
elif x == 1960:
    pass
elif x == 1961:
    pass
elif x == 1962:
    pass
elif x == 1963:
    pass
elif x == 1964:
    pass
elif x == 1965:
    pass
elif x == 1966:
    pass
elif x == 1967:
    pass
elif x == 1968:
    pass
elif x == 1969:
    pass
elif x == 1970:
    pass
elif x == 1971:
    pass
elif x == 1972:
    pass
elif x == 1973:
    pass
elif x == 1974:
    pass
elif x == 1975:
    pass
elif x == 1976:
    pass
elif x == 1977:
    pass
elif x == 1978:
    pass
elif x == 1979:
    pass
elif x == 1980:
    pass
elif x == 1981:
    pass
elif x == 1982:
    pass
elif x == 1983:
    pass
elif x == 1984:
    pass
elif x == 1985:
    pass
elif x == 1986:
    pass
elif x == 1987:
    pass
elif x == 1988:
    pass
elif x == 1989:
    pass
elif x == 1990:
    pass
elif x == 1991:
    pass
elif x == 1992:
    pass
elif x == 1993:
    pass
elif x == 1994:
    pass
elif x == 1995:
    pass
elif x == 1996:
    pass
elif x == 1997:
    pass
elif x == 1998:
    pass
elif x == 1999:
    pass
elif x == 2000:
    pass
elif x == 2001:
    pass
elif x == 2002:
    pass
elif x == 2003:
    pass
elif x == 2004:
    pass
elif x == 2005:
    pass
elif x == 2006:
    pass
elif x == 2007:
    pass
elif x == 2008:
    pass
elif x == 2009:
    pass
elif x == 2010:
    pass
elif x == 2011:
    pass
elif x == 2012:
    pass
elif x == 2013:
    pass
elif x == 2014:
    pass
elif x == 2015:
    pass
elif x == 2016:
    pass
elif x == 2017:
    pass
elif x == 2018:
    pass
elif x == 2019:
    pass
elif x == 2020:
    pass
elif x == 2021:
    pass
elif x == 2022:
    pass
elif x == 2023:
    pass
elif x == 2024:
    pass
elif x == 2025:
    pass
elif x == 2026:
    pass
elif x == 2027:
    pass
elif x == 2028:
    pass
elif x == 2029:
    pass
elif x == 2030:
    pass
elif x == 2031:
    pass
elif x == 2032:
    pass
elif x == 2033:
    pass
elif x == 2034:
    pass
elif x == 2035:
    pass
elif x == 2036:
    pass
elif x == 2037:
    pass
elif x == 2038:
    pass
elif x == 2039:
    pass
elif x == 2040:
    pass
elif x == 2041:
    pass
elif x == 2042:
    pass
elif x == 2043:
    pass
elif x == 2044:
    pass
elif x == 2045:
    pass
elif x == 2046:
    pass
elif x == 2047:
    pass
elif x == 2048:
    pass
elif x == 2049:
    pass
elif x == 2050:
    pass
elif x == 2051:
    pass
elif x == 2052:
    pass
elif x == 2053:
    pass
elif x == 2054:
    pass
elif x == 2055:
    pass
elif x == 2056:
    pass
elif x == 2057:
    pass
elif x == 2058:
    pass
elif x == 2059:
    pass
elif x == 2060:
    pass
elif x == 2061:
    pass
elif x == 2062:
    pass
elif x == 2063:
    pass
elif x == 2064:
    pass
elif x == 2065:
    pass
elif x == 2066:
    pass
elif x == 2067:
    pass
elif x == 2068:
    pass
elif x == 2069:
    pass
elif x == 2070:
    pass
elif x == 2071:
    pass
elif x == 2072:
    pass
elif x == 2073:
    pass
elif x == 2074:
    pass
elif x == 2075:
    pass
elif x == 2076:
    pass
elif x == 2077:
    pass
elif x == 2078:
    pass
elif x == 2079:
    pass
elif x == 2080:
    pass
elif x == 2081:
    pass
elif x == 2082:
    pass
elif x == 2083:
    pass
elif x == 2084:
    pass
elif x == 2085:
    pass
elif x == 2086:
    pass
elif x == 2087:
    pass
elif x == 2088:
    pass
elif x == 2089:
    pass
elif x == 2090:
    pass
elif x == 2091:
    pass
elif x == 2092:
    pass
elif x == 2093:
    pass
elif x == 2094:
    pass
elif x == 2095:
    pass
elif x == 2096:
    pass
elif x == 2097:
    pass
elif x == 2098:
    pass
elif x == 2099:
    pass
elif x == 2100:
    pass
elif x == 2101:
    pass
elif x == 2102:
    pass
elif x == 2103:
    pass
elif x == 2104:
    pass
elif x == 2105:
    pass
elif x == 2106:
    pass
elif x == 2107:
    pass
elif x == 2108:
    pass
elif x == 2109:
    pass
elif x == 2110:
    pass
elif x == 2111:
    pass
elif x == 2112:
    pass
elif x == 2113:
    pass
elif x == 2114:
    pass
elif x == 2115:
    pass
elif x == 2116:
    pass
elif x == 2117:
    pass
elif x == 2118:
    pass
elif x == 2119:
    pass
elif x == 2120:
    pass
elif x == 2121:
    pass
elif x == 2122:
    pass
elif x == 2123:
    pass
elif x == 2124:
    pass
elif x == 2125:
    pass
elif x == 2126:
    pass
elif x == 2127:
    pass
elif x == 2128:
    pass
elif x == 2129:
    pass
elif x == 2130:
    pass
elif x == 2131:
    pass
elif x == 2132:
    pass
elif x == 2133:
    pass
elif x == 2134:
    pass
elif x == 2135:
    pass
elif x == 2136:
    pass
elif x == 2137:
    pass
elif x == 2138:
    pass
elif x == 2139:
    pass
elif x == 2140:
    pass
elif x == 2141:
    pass
elif x == 2142:
    pass
elif x == 2143:
    pass
elif x == 2144:
    pass
elif x == 2145:
    pass
elif x == 2146:
    pass
elif x == 2147:
    pass
elif x == 2148:
    pass
elif x == 2149:
    pass
elif x == 2150:
    pass
elif x == 2151:
    pass
elif x == 2152:
    pass
elif x == 2153:
    pass
elif x == 2154:
    pass
elif x == 2155:
    pass
elif x == 2156:
    pass
elif x == 2157:
    pass
elif x == 2158:
    pass
elif x == 2159:
    pass
elif x == 2160:
    pass
elif x == 2161:
    pass
elif x == 2162:
    pass
elif x == 2163:
    pass
elif x == 2164:
    pass
elif x == 2165:
    pass
elif x == 2166:
    pass
elif x == 2167:
    pass
elif x == 2168:
    pass
elif x == 2169:
    pass
elif x == 2170:
    pass
elif x == 2171:
    pass
elif x == 2172:
    pass
elif x == 2173:
    pass
elif x == 2174:
    pass
elif x == 2175:
    pass
elif x == 2176:
    pass
elif x == 2177:
    pass
elif x == 2178:
    pass
elif x == 2179:
    pass
elif x == 2180:
    pass
elif x == 2181:
    pass
elif x == 2182:
    pass
elif x == 2183:
    pass
elif x == 2184:
    pass
elif x == 2185:
    pass
elif x == 2186:
    pass
elif x == 2187:
    pass
elif x == 2188:
    pass
elif x == 2189:
    pass
elif x == 2190:
    pass
elif x == 2191:
    pass
elif x == 2192:
    pass
elif x == 2193:
    pass
elif x == 2194:
    pass
elif x == 2195:
    pass
elif x == 2196:
    pass
elif x == 2197:
    pass
elif x == 2198:
    pass
elif x == 2199:
    pass
elif x == 2200:
    pass
elif x == 2201:
    pass
elif x == 2202:
    pass
elif x == 2203:
    pass
elif x == 2204:
    pass
elif x == 2205:
    pass
elif x == 2206:
    pass
elif x == 2207:
    pass
elif x == 2208:
    pass
elif x == 2209:
    pass
elif x == 2210:
    pass
elif x == 2211:
    pass
elif x == 2212:
    pass
elif x == 2213:
    pass
elif x == 2214:
    pass
elif x == 2215:
    pass
elif x == 2216:
    pass
elif x == 2217:
    pass
elif x == 2218:
    pass
elif x == 2219:
    pass
elif x == 2220:
    pass
elif x == 2221:
    pass
elif x == 2222:
    pass
elif x == 2223:
    pass
elif x == 2224:
    pass
elif x == 2225:
    pass
elif x == 2226:
    pass
elif x == 2227:
    pass
elif x == 2228:
    pass
elif x == 2229:
    pass
elif x == 2230:
    pass
elif x == 2231:
    pass
elif x == 2232:
    pass
elif x == 2233:
    pass
elif x == 2234:
    pass
elif x == 2235:
    pass
elif x == 2236:
    pass
elif x == 2237:
    pass
elif x == 2238:
    pass
elif x == 2239:
    pass
elif x == 2240:
    pass
elif x == 2241:
    pass
elif x == 2242:
    pass
elif x == 2243:
    pass
elif x == 2244:
    pass
elif x == 2245:
    pass
elif x == 2246:
    pass
elif x == 2247:
    pass
elif x == 2248:
    pass
elif x == 2249:
    pass
elif x == 2250:
    pass
elif x == 2251:
    pass
elif x == 2252:
    pass
elif x == 2253:
    pass
elif x == 2254:
    pass
elif x == 2255:
    pass
elif x == 2256:
    pass
elif x == 2257:
    pass
elif x == 2258:
    pass
elif x == 2259:
    pass
elif x == 2260:
    pass
elif x == 2261:
    pass
elif x == 2262:
    pass
elif x == 2263:
    pass
elif x == 2264:
    pass
elif x == 2265:
    pass
elif x == 2266:
    pass
elif x == 2267:
    pass
elif x == 2268:
    pass
elif x == 2269:
    pass
elif x == 2270:
    pass
elif x == 2271:
    pass
elif x == 2272:
    pass
elif x == 2273:
    pass
elif x == 2274:
    pass
elif x == 2275:
    pass
elif x == 2276:
    pass
elif x == 2277:
    pass
elif x == 2278:
    pass
elif x == 2279:
    pass
elif x == 2280:
    pass
elif x == 2281:
    pass
elif x == 2282:
    pass
elif x == 2283:
    pass
elif x == 2284:
    pass
elif x == 2285:
    pass
elif x == 2286:
    pass
elif x == 2287:
    pass
elif x == 2288:
    pass
elif x == 2289:
    pass
elif x == 2290:
    pass
elif x == 2291:
    pass
elif x == 2292:
    pass
elif x == 2293:
    pass
elif x == 2294:
    pass
elif x == 2295:
    pass
elif x == 2296:
    pass
elif x == 2297:
    pass
elif x == 2298:
    pass
elif x == 2299:
    pass
elif x == 2300:
    pass
elif x == 2301:
    pass
elif x == 2302:
    pass
elif x == 2303:
    pass
elif x == 2304:
    pass
elif x == 2305:
    pass
elif x == 2306:
    pass
elif x == 2307:
    pass
elif x == 2308:
    pass
elif x == 2309:
    pass
elif x == 2310:
    pass
elif x == 2311:
    pass
elif x == 2312:
    pass
elif x == 2313:
    pass
elif x == 2314:
    pass
elif x == 2315:
    pass
elif x == 2316:
    pass
elif x == 2317:
    pass
elif x == 2318:
    pass
elif x == 2319:
    pass
elif x == 2320:
    pass
elif x == 2321:
    pass
elif x == 2322:
    pass
elif x == 2323:
    pass
elif x == 2324:
    pass
elif x == 2325:
    pass
elif x == 2326:
    pass
elif x == 2327:
    pass
elif x == 2328:
    pass
elif x == 2329:
    pass
elif x == 2330:
    pass
elif x == 2331:
    pass
elif x == 2332:
    pass
elif x == 2333:
    pass
elif x == 2334:
    pass
elif x == 2335:
    pass
elif x == 2336:
    pass
elif x == 2337:
    pass
elif x == 2338:
    pass
elif x == 2339:
    pass
elif x == 2340:
    pass
elif x == 2341:
    pass
elif x == 2342:
    pass
elif x == 2343:
    pass
elif x == 2344:
    pass
elif x == 2345:
    pass
elif x == 2346:
    pass
elif x == 2347:
    pass
elif x == 2348:
    pass
elif x == 2349:
    pass
elif x == 2350:
    pass
elif x == 2351:
    pass
elif x == 2352:
    pass
elif x == 2353:
    pass
elif x == 2354:
    pass
elif x == 2355:
    pass
elif x == 2356:
    pass
elif x == 2357:
    pass
elif x == 2358:
    pass
elif x == 2359:
    pass
elif x == 2360:
    pass
elif x == 2361:
    pass
elif x == 2362:
    pass
elif x == 2363:
    pass
elif x == 2364:
    pass
elif x == 2365:
    pass
elif x == 2366:
    pass
elif x == 2367:
    pass
elif x == 2368:
    pass
elif x == 2369:
    pass
elif x == 2370:
    pass
elif x == 2371:
    pass
elif x == 2372:
    pass
elif x == 2373:
    pass
elif x == 2374:
    pass
elif x == 2375:
    pass
elif x == 2376:
    pass
elif x == 2377:
    pass
elif x == 2378:
    pass
elif x == 2379:
    pass
elif x == 2380:
    pass
elif x == 2381:
    pass
elif x == 2382:
    pass
elif x == 2383:
    pass
elif x == 2384:
    pass
elif x == 2385:
    pass
elif x == 2386:
    pass
elif x == 2387:
    pass
elif x == 2388:
    pass
elif x == 2389:
    pass
elif x == 2390:
    pass
elif x == 2391:
    pass
elif x == 2392:
    pass
elif x == 2393:
    pass
elif x == 2394:
    pass
elif x == 2395:
    pass
elif x == 2396:
    pass
elif x == 2397:
    pass
elif x == 2398:
    pass
elif x == 2399:
    pass
elif x == 2400:
    pass
elif x == 2401:
    pass
elif x == 2402:
    pass
elif x == 2403:
    pass
elif x == 2404:
    pass
elif x == 2405:
    pass
elif x == 2406:
    pass
elif x == 2407:
    pass
elif x == 2408:
    pass
elif x == 2409:
    pass
elif x == 2410:
    pass
elif x == 2411:
    pass
elif x == 2412:
    pass
elif x == 2413:
    pass
elif x == 2414:
    pass
elif x == 2415:
    pass
elif x == 2416:
    pass
elif x == 2417:
    pass
elif x == 2418:
    pass
elif x == 2419:
    pass
elif x == 2420:
    pass
elif x == 2421:
    pass
elif x == 2422:
    pass
elif x == 2423:
    pass
elif x == 2424:
    pass
elif x == 2425:
    pass
elif x == 2426:
    pass
elif x == 2427:
    pass
elif x == 2428:
    pass
elif x == 2429:
    pass
elif x == 2430:
    pass
elif x == 2431:
    pass
elif x == 2432:
    pass
elif x == 2433:
    pass
elif x == 2434:
    pass
elif x == 2435:
    pass
elif x == 2436:
    pass
elif x == 2437:
    pass
elif x == 2438:
    pass
elif x == 2439:
    pass
elif x == 2440:
    pass
elif x == 2441:
    pass
elif x == 2442:
    pass
elif x == 2443:
    pass
elif x == 2444:
    pass
elif x == 2445:
    pass
elif x == 2446:
    pass
elif x == 2447:
    pass
elif x == 2448:
    pass
elif x == 2449:
    pass
elif x == 2450:
    pass
elif x == 2451:
    pass
elif x == 2452:
    pass
elif x == 2453:
    pass
elif x == 2454:
    pass
elif x == 2455:
    pass
elif x == 2456:
    pass
elif x == 2457:
    pass
elif x == 2458:
    pass
elif x == 2459:
    pass
elif x == 2460:
    pass
elif x == 2461:
    pass
elif x == 2462:
    pass
elif x == 2463:
    pass
elif x == 2464:
    pass
elif x == 2465:
    pass
elif x == 2466:
    pass
elif x == 2467:
    pass
elif x == 2468:
    pass
elif x == 2469:
    pass
elif x == 2470:
    pass
elif x == 2471:
    pass
elif x == 2472:
    pass
elif x == 2473:
    pass
elif x == 2474:
    pass
elif x == 2475:
    pass
elif x == 2476:
    pass
elif x == 2477:
    pass
elif x == 2478:
    pass
elif x == 2479:
    pass
elif x == 2480:
    pass
elif x == 2481:
    pass
elif x == 2482:
    pass
elif x == 2483:
    pass
elif x == 2484:
    pass
elif x == 2485:
    pass
elif x == 2486:
    pass
elif x == 2487:
    pass
elif x == 2488:
    pass
elif x == 2489:
    pass
elif x == 2490:
    pass
elif x == 2491:
    pass
elif x == 2492:
    pass
elif x == 2493:
    pass
elif x == 2494:
    pass
elif x == 2495:
    pass
elif x == 2496:
    pass
elif x == 2497:
    pass
elif x == 2498:
    pass
elif x == 2499:
    pass
elif x == 2500:
    pass
elif x == 2501:
    pass
elif x == 2502:
    pass
elif x == 2503:
    pass
elif x == 2504:
    pass
elif x == 2505:
    pass
elif x == 2506:
    pass
elif x == 2507:
    pass
elif x == 2508:
    pass
elif x == 2509:
    pass
elif x == 2510:
    pass
elif x == 2511:
    pass
elif x == 2512:
    pass
elif x == 2513:
    pass
elif x == 2514:
    pass
elif x == 2515:
    pass
elif x == 2516:
    pass
elif x == 2517:
    pass
elif x == 2518:
    pass
elif x == 2519:
    pass
elif x == 2520:
    pass
elif x == 2521:
    pass
elif x == 2522:
    pass
elif x == 2523:
    pass
elif x == 2524:
    pass
elif x == 2525:
    pass
elif x == 2526:
    pass
elif x == 2527:
    pass
elif x == 2528:
    pass
elif x == 2529:
    pass
elif x == 2530:
    pass
elif x == 2531:
    pass
elif x == 2532:
    pass
elif x == 2533:
    pass
elif x == 2534:
    pass
elif x == 2535:
    pass
elif x == 2536:
    pass
elif x == 2537:
    pass
elif x == 2538:
    pass
elif x == 2539:
    pass
elif x == 2540:
    pass
elif x == 2541:
    pass
elif x == 2542:
    pass
elif x == 2543:
    pass
elif x == 2544:
    pass
elif x == 2545:
    pass
elif x == 2546:
    pass
elif x == 2547:
    pass
elif x == 2548:
    pass
elif x == 2549:
    pass
elif x == 2550:
    pass
elif x == 2551:
    pass
elif x == 2552:
    pass
elif x == 2553:
    pass
elif x == 2554:
    pass
elif x == 2555:
    pass
elif x == 2556:
    pass
elif x == 2557:
    pass
elif x == 2558:
    pass
elif x == 2559:
    pass
elif x == 2560:
    pass
elif x == 2561:
    pass
elif x == 2562:
    pass
elif x == 2563:
    pass
elif x == 2564:
    pass
elif x == 2565:
    pass
elif x == 2566:
    pass
elif x == 2567:
    pass
elif x == 2568:
    pass
elif x == 2569:
    pass
elif x == 2570:
    pass
elif x == 2571:
    pass
elif x == 2572:
    pass
elif x == 2573:
    pass
elif x == 2574:
    pass
elif x == 2575:
    pass
elif x == 2576:
    pass
elif x == 2577:
    pass
elif x == 2578:
    pass
elif x == 2579:
    pass
elif x == 2580:
    pass
elif x == 2581:
    pass
elif x == 2582:
    pass
elif x == 2583:
    pass
elif x == 2584:
    pass
elif x == 2585:
    pass
elif x == 2586:
    pass
elif x == 2587:
    pass
elif x == 2588:
    pass
elif x == 2589:
    pass
elif x == 2590:
    pass
elif x == 2591:
    pass
elif x == 2592:
    pass
elif x == 2593:
    pass
elif x == 2594:
    pass
elif x == 2595:
    pass
elif x == 2596:
    pass
elif x == 2597:
    pass
elif x == 2598:
    pass
elif x == 2599:
    pass
elif x == 2600:
    pass
elif x == 2601:
    pass
elif x == 2602:
    pass
elif x == 2603:
    pass
elif x == 2604:
    pass
elif x == 2605:
    pass
elif x == 2606:
    pass
elif x == 2607:
    pass
elif x == 2608:
    pass
elif x == 2609:
    pass
elif x == 2610:
    pass
elif x == 2611:
    pass
elif x == 2612:
    pass
elif x == 2613:
    pass
elif x == 2614:
    pass
elif x == 2615:
    pass
elif x == 2616:
    pass
elif x == 2617:
    pass
elif x == 2618:
    pass
elif x == 2619:
    pass
elif x == 2620:
    pass
elif x == 2621:
    pass
elif x == 2622:
    pass
elif x == 2623:
    pass
elif x == 2624:
    pass
elif x == 2625:
    pass
elif x == 2626:
    pass
elif x == 2627:
    pass
elif x == 2628:
    pass
elif x == 2629:
    pass
elif x == 2630:
    pass
elif x == 2631:
    pass
elif x == 2632:
    pass
elif x == 2633:
    pass
elif x == 2634:
    pass
elif x == 2635:
    pass
elif x == 2636:
    pass
elif x == 2637:
    pass
elif x == 2638:
    pass
elif x == 2639:
    pass
elif x == 2640:
    pass
elif x == 2641:
    pass
elif x == 2642:
    pass
elif x == 2643:
    pass
elif x == 2644:
    pass
elif x == 2645:
    pass
elif x == 2646:
    pass
elif x == 2647:
    pass
elif x == 2648:
    pass
elif x == 2649:
    pass
elif x == 2650:
    pass
elif x == 2651:
    pass
elif x == 2652:
    pass
elif x == 2653:
    pass
elif x == 2654:
    pass
elif x == 2655:
    pass
elif x == 2656:
    pass
elif x == 2657:
    pass
elif x == 2658:
    pass
elif x == 2659:
    pass
elif x == 2660:
    pass
elif x == 2661:
    pass
elif x == 2662:
    pass
elif x == 2663:
    pass
elif x == 2664:
    pass
elif x == 2665:
    pass
elif x == 2666:
    pass
elif x == 2667:
    pass
elif x == 2668:
    pass
elif x == 2669:
    pass
elif x == 2670:
    pass
elif x == 2671:
    pass
elif x == 2672:
    pass
elif x == 2673:
    pass
elif x == 2674:
    pass
elif x == 2675:
    pass
elif x == 2676:
    pass
elif x == 2677:
    pass
elif x == 2678:
    pass
elif x == 2679:
    pass
elif x == 2680:
    pass
elif x == 2681:
    pass
elif x == 2682:
    pass
elif x == 2683:
    pass
elif x == 2684:
    pass
elif x == 2685:
    pass
elif x == 2686:
    pass
elif x == 2687:
    pass
elif x == 2688:
    pass
elif x == 2689:
    pass
elif x == 2690:
    pass
elif x == 2691:
    pass
elif x == 2692:
    pass
elif x == 2693:
    pass
elif x == 2694:
    pass
elif x == 2695:
    pass
elif x == 2696:
    pass
elif x == 2697:
    pass
elif x == 2698:
    pass
elif x == 2699:
    pass
elif x == 2700:
    pass
elif x == 2701:
    pass
elif x == 2702:
    pass
elif x == 2703:
    pass
elif x == 2704:
    pass
elif x == 2705:
    pass
elif x == 2706:
    pass
elif x == 2707:
    pass
elif x == 2708:
    pass
elif x == 2709:
    pass
elif x == 2710:
    pass
elif x == 2711:
    pass
elif x == 2712:
    pass
elif x == 2713:
    pass
elif x == 2714:
    pass
elif x == 2715:
    pass
elif x == 2716:
    pass
elif x == 2717:
    pass
elif x == 2718:
    pass
elif x == 2719:
    pass
elif x == 2720:
    pass
elif x == 2721:
    pass
elif x == 2722:
    pass
elif x == 2723:
    pass
elif x == 2724:
    pass
elif x == 2725:
    pass
elif x == 2726:
    pass
elif x == 2727:
    pass
elif x == 2728:
    pass
elif x == 2729:
    pass
elif x == 2730:
    pass
elif x == 2731:
    pass
elif x == 2732:
    pass
elif x == 2733:
    pass
elif x == 2734:
    pass
elif x == 2735:
    pass
elif x == 2736:
    pass
elif x == 2737:
    pass
elif x == 2738:
    pass
elif x == 2739:
    pass
elif x == 2740:
    pass
elif x == 2741:
    pass
elif x == 2742:
    pass
elif x == 2743:
    pass
elif x == 2744:
    pass
elif x == 2745:
    pass
elif x == 2746:
    pass
elif x == 2747:
    pass
elif x == 2748:
    pass
elif x == 2749:
    pass
elif x == 2750:
    pass
elif x == 2751:
    pass
elif x == 2752:
    pass
elif x == 2753:
    pass
elif x == 2754:
    pass
elif x == 2755:
    pass
elif x == 2756:
    pass
elif x == 2757:
    pass
elif x == 2758:
    pass
elif x == 2759:
    pass
elif x == 2760:
    pass
elif x == 2761:
    pass
elif x == 2762:
    pass
elif x == 2763:
    pass
elif x == 2764:
    pass
elif x == 2765:
    pass
elif x == 2766:
    pass
elif x == 2767:
    pass
elif x == 2768:
    pass
elif x == 2769:
    pass
elif x == 2770:
    pass
elif x == 2771:
    pass
elif x == 2772:
    pass
elif x == 2773:
    pass
elif x == 2774:
    pass
elif x == 2775:
    pass
elif x == 2776:
    pass
elif x == 2777:
    pass
elif x == 2778:
    pass
elif x == 2779:
    pass
elif x == 2780:
    pass
elif x == 2781:
    pass
elif x == 2782:
    pass
elif x == 2783:
    pass
elif x == 2784:
    pass
elif x == 2785:
    pass
elif x == 2786:
    pass
elif x == 2787:
    pass
elif x == 2788:
    pass
elif x == 2789:
    pass
elif x == 2790:
    pass
elif x == 2791:
    pass
elif x == 2792:
    pass
elif x == 2793:
    pass
elif x == 2794:
    pass
elif x == 2795:
    pass
elif x == 2796:
    pass
elif x == 2797:
    pass
elif x == 2798:
    pass
elif x == 2799:
    pass
elif x == 2800:
    pass
elif x == 2801:
    pass
elif x == 2802:
    pass
elif x == 2803:
    pass
elif x == 2804:
    pass
elif x == 2805:
    pass
elif x == 2806:
    pass
elif x == 2807:
    pass
elif x == 2808:
    pass
elif x == 2809:
    pass
elif x == 2810:
    pass
elif x == 2811:
    pass
elif x == 2812:
    pass
elif x == 2813:
    pass
elif x == 2814:
    pass
elif x == 2815:
    pass
elif x == 2816:
    pass
elif x == 2817:
    pass
elif x == 2818:
    pass
elif x == 2819:
    pass
elif x == 2820:
    pass
elif x == 2821:
    pass
elif x == 2822:
    pass
elif x == 2823:
    pass
elif x == 2824:
    pass
elif x == 2825:
    pass
elif x == 2826:
    pass
elif x == 2827:
    pass
elif x == 2828:
    pass
elif x == 2829:
    pass
elif x == 2830:
    pass
elif x == 2831:
    pass
elif x == 2832:
    pass
elif x == 2833:
    pass
elif x == 2834:
    pass
elif x == 2835:
    pass
elif x == 2836:
    pass
elif x == 2837:
    pass
elif x == 2838:
    pass
elif x == 2839:
    pass
elif x == 2840:
    pass
elif x == 2841:
    pass
elif x == 2842:
    pass
elif x == 2843:
    pass
elif x == 2844:
    pass
elif x == 2845:
    pass
elif x == 2846:
    pass
elif x == 2847:
    pass
elif x == 2848:
    pass
elif x == 2849:
    pass
elif x == 2850:
    pass
elif x == 2851:
    pass
elif x == 2852:
    pass
elif x == 2853:
    pass
elif x == 2854:
    pass
elif x == 2855:
    pass
elif x == 2856:
    pass
elif x == 2857:
    pass
elif x == 2858:
    pass
elif x == 2859:
    pass
elif x == 2860:
    pass
elif x == 2861:
    pass
elif x == 2862:
    pass
elif x == 2863:
    pass
elif x == 2864:
    pass
elif x == 2865:
    pass
elif x == 2866:
    pass
elif x == 2867:
    pass
elif x == 2868:
    pass
elif x == 2869:
    pass
elif x == 2870:
    pass
elif x == 2871:
    pass
elif x == 2872:
    pass
elif x == 2873:
    pass
elif x == 2874:
    pass
elif x == 2875:
    pass
elif x == 2876:
    pass
elif x == 2877:
    pass
elif x == 2878:
    pass
elif x == 2879:
    pass
elif x == 2880:
    pass
elif x == 2881:
    pass
elif x == 2882:
    pass
elif x == 2883:
    pass
elif x == 2884:
    pass
elif x == 2885:
    pass
elif x == 2886:
    pass
elif x == 2887:
    pass
elif x == 2888:
    pass
elif x == 2889:
    pass
elif x == 2890:
    pass
elif x == 2891:
    pass
elif x == 2892:
    pass
elif x == 2893:
    pass
elif x == 2894:
    pass
elif x == 2895:
    pass
elif x == 2896:
    pass
elif x == 2897:
    pass
elif x == 2898:
    pass
elif x == 2899:
    pass
elif x == 2900:
    pass
elif x == 2901:
    pass
elif x == 2902:
    pass
elif x == 2903:
    pass
elif x == 2904:
    pass
elif x == 2905:
    pass
elif x == 2906:
    pass
elif x == 2907:
    pass
elif x == 2908:
    pass
elif x == 2909:
    pass
elif x == 2910:
    pass
elif x == 2911:
    pass
elif x == 2912:
    pass
elif x == 2913:
    pass
elif x == 2914:
    pass
elif x == 2915:
    pass
elif x == 2916:
    pass
elif x == 2917:
    pass
elif x == 2918:
    pass
elif x == 2919:
    pass
elif x == 2920:
    pass
elif x == 2921:
    pass
elif x == 2922:
    pass
elif x == 2923:
    pass
elif x == 2924:
    pass
elif x == 2925:
    pass
elif x == 2926:
    pass
elif x == 2927:
    pass
elif x == 2928:
    pass
elif x == 2929:
    pass
elif x == 2930:
    pass
elif x == 2931:
    pass
elif x == 2932:
    pass
elif x == 2933:
    pass
elif x == 2934:
    pass
elif x == 2935:
    pass
elif x == 2936:
    pass
elif x == 2937:
    pass
elif x == 2938:
    pass
elif x == 2939:
    pass
elif x == 2940:
    pass
elif x == 2941:
    pass
elif x == 2942:
    pass
elif x == 2943:
    pass
elif x == 2944:
    pass
elif x == 2945:
    pass
elif x == 2946:
    pass
elif x == 2947:
    pass
elif x == 2948:
    pass
elif x == 2949:
    pass
elif x == 2950:
    pass
elif x == 2951:
    pass
elif x == 2952:
    pass
elif x == 2953:
    pass
elif x == 2954:
    pass
elif x == 2955:
    pass
elif x == 2956:
    pass
elif x == 2957:
    pass
elif x == 2958:
    pass
elif x == 2959:
    pass
elif x == 2960:
    pass
elif x == 2961:
    pass
elif x == 2962:
    pass
elif x == 2963:
    pass
elif x == 2964:
    pass
elif x == 2965:
    pass
elif x == 2966:
    pass
elif x == 2967:
    pass
elif x == 2968:
    pass
elif x == 2969:
    pass
elif x == 2970:
    pass
elif x == 2971:
    pass
elif x == 2972:
    pass
elif x == 2973:
    pass
elif x == 2974:
    pass
elif x == 2975:
    pass
elif x == 2976:
    pass
elif x == 2977:
    pass
elif x == 2978:
    pass
elif x == 2979:
    pass
elif x == 2980:
    pass
elif x == 2981:
    pass
elif x == 2982:
    pass
elif x == 2983:
    pass
elif x == 2984:
    pass
elif x == 2985:
    pass
elif x == 2986:
    pass
elif x == 2987:
    pass
elif x == 2988:
    pass
elif x == 2989:
    pass
elif x == 2990:
    pass
elif x == 2991:
    pass
elif x == 2992:
    pass
elif x == 2993:
    pass
elif x == 2994:
    pass
elif x == 2995:
    pass
elif x == 2996:
    pass
elif x == 2997:
    pass
elif x == 2998:
    pass
elif x == 2999:
    pass
